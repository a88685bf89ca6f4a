// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import BLEWire
import Companion
public import WiFiSet

/// A WiFiSet device on the virtual air.
public enum SimulatedWiFiSet {
    /// Its address, the same in every run.
    public static let address = BluetoothAddress(0xC0FF_EEF1_5E71, kind: .random)

    /// Makes the device.
    ///
    /// - Parameters:
    ///   - networks: The Wi-Fi networks around it.
    ///   - observer: Called for what the device reports, with the moment.
    /// - Returns: The device, not started.
    public static func make(
        networks: [SimulatedWiFiStation.Network] = SimulatedWiFiStation.neighbourhood,
        observer: @escaping (WiFiSetDeviceEvent, HostInstant) -> Void = { _, _ in }
    ) -> SimulatedDevice<WiFiSetDevice<SimulatedWiFiStation>> {
        SimulatedDevice(
            kind: "wifiset", WiFiSetDevice(station: SimulatedWiFiStation(networks)), address: address,
            position: VirtualAir.Position(x: 3), observer: observer)
    }
}
