// SPDX-License-Identifier: Apache-2.0

/// The products: the list of them that everything asks, beside Package.swift.
///
/// SimulatedDevices and FuzzTargets, which are Embedded Swift, cannot ask one of these for what only they know, and have a list
/// each; tests hold those against this one.
public enum Products {
    /// All of them, in the order in which help lists them.
    public static let all: [any Product] = [
        FlockFinderProduct(),
        WiFiSetProduct(),
        ImprovProduct(),
        LEDBulbProduct(),
        OverflowAreaProduct(),
        NightlightProduct(),
    ]
}
