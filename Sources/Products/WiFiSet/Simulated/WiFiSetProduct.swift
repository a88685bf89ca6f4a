// SPDX-License-Identifier: Apache-2.0

public import BLESimulation
public import Nightlight

/// WiFiSet, as the list of products knows it.
public final class WiFiSetProduct: Product {
    /// Its device's name on the command line.
    public let name = "wifiset"

    /// Describes the product.
    public init() {}

    /// Puts its device on the virtual air.
    public func simulated(seed: UInt64, clock: ClockReading?) -> any SimulatedHost { SimulatedWiFiSet.make() }
}
