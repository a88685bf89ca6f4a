// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
import Companion
public import Improv
public import WiFiSetSimulated

/// An Improv device on the virtual air, in the Wi-Fi neighbourhood of the simulated WiFiSet device.
public enum SimulatedImprov {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EE46_7768, kind: .random)
    /// What it says of itself.
    public static let info = ImprovDeviceInfo(
        firmware: "Lantern", version: "1.0", hardware: "virtual", name: "Lantern Improv")

    /// Makes the device.
    ///
    /// - Parameters:
    ///   - networks: The Wi-Fi networks around it.
    ///   - needsAuthorization: Whether somebody has to press its button first.
    ///   - observer: Called for what the device reports, with the moment.
    /// - Returns: The device, not started.
    public static func make(
        networks: [SimulatedWiFiStation.Network] = SimulatedWiFiStation.neighbourhood,
        needsAuthorization: Bool = false,
        observer: @escaping (ImprovDeviceEvent, HostInstant) -> Void = { _, _ in }
    ) -> SimulatedDevice<ImprovDevice<SimulatedImprovStation>> {
        SimulatedDevice(
            kind: "improv",
            ImprovDevice(
                station: SimulatedImprovStation(SimulatedWiFiStation(networks)), info: info,
                needsAuthorization: needsAuthorization),
            address: address, position: VirtualAir.Position(x: 4), observer: observer)
    }
}
