// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
import Improv

/// Improv, as the list of products knows it.
public final class ImprovProduct: Product {
    /// Its device's name on the command line.
    public let name = "improv"
    /// It is given its Wi-Fi as a WiFiSet device is.
    public let deviceKind = "wifiset"
    /// How its devices are recognized.
    public let recognition: DeviceRecognition? = .improv
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.improv

    /// Describes the product.
    public init() {}
}

extension UUIDNames {
    /// An Improv device's.
    static let improv = UUIDNames(
        services: [(ImprovUUID.service, "Improv")],
        characteristics: [
            (ImprovUUID.state, "Improv Current State"),
            (ImprovUUID.error, "Improv Error State"),
            (ImprovUUID.command, "Improv RPC Command"),
            (ImprovUUID.result, "Improv RPC Result"),
            (ImprovUUID.capabilities, "Improv Capabilities"),
        ])
}
