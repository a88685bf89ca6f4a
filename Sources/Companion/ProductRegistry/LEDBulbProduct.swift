// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEWire
import LEDBulb

/// LEDBulb, as the list of products knows it.
public final class LEDBulbProduct: Product {
    /// Its device's name on the command line.
    public let name = "bulb"
    /// How its devices are recognized.
    public let recognition: DeviceRecognition? = .ledBulb
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.ledBulb

    /// Describes the product.
    public init() {}
}

extension UUIDNames {
    /// Those of bulbs that nothing else has.
    static let ledBulb = UUIDNames(
        services: [
            (BluetoothUUID(0xFFD0), "Triones Bulb State"), (BluetoothUUID(0xFFD5), "Triones Bulb"),
            (BluetoothUUID(0xFFE5), "Magic Blue Bulb"),
        ],
        characteristics: [
            (BluetoothUUID(0xFFD4), "Triones State"), (BluetoothUUID(0xFFD9), "Triones Command"),
            (BluetoothUUID(0xFFE9), "Magic Blue Command"),
        ])
}
