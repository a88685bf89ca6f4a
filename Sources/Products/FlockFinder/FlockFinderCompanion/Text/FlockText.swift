// SPDX-License-Identifier: Apache-2.0

public import BLEWire
import FlockFinder

/// What is said about FlockFinder devices in whole sentences.
public enum FlockText {
    /// The sentences for a device of another kind.
    ///
    /// - Parameters:
    ///   - address: The device as the person has named it.
    ///   - missing: What it lacks.
    /// - Returns: The sentences.
    public static func wrongDevice(_ address: String, missing: [BluetoothUUID]) -> String {
        let names = missing.map(FlockFinderAdvice.name(of:)).joined(separator: ", ")
        return
            "\(address) is not a FlockFinder device: it lacks \(names). Nothing was written to it; `lantern scan` "
            + "shows what is around. If it is one, update its firmware."
    }
}
