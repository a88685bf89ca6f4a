// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// By what bulbs are found.
public enum LEDBulbName {
    /// Services that no other device advertises; FFF0 and 1802 are not here, because many do.
    public static let services = [
        BulbDialect.triones.control.service, BulbDialect.magicBlue.control.service,
    ]
    /// Parts of names, in lower case, that make a device a candidate.
    public static let patterns: [WireText] = [
        "triones", "ledble", "elk-ble", "melk", "colorific", "lednetwf", "bj_led", "xrocker",
    ]
}
