// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// By what nightlights are found beside their service.
public enum NightlightName {
    /// Parts of names, in lower case, that make a device a candidate.
    public static let patterns: [WireText] = ["nightlight"]
}
