// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
public import BLEWire

/// Names of the services and characteristics of one product.
///
/// Each product has its names beside its ``Product`` in this module; ``Products/all`` has them all.
public struct UUIDNames: Sendable {
    /// Services with their names.
    public let services: [(uuid: BluetoothUUID, name: String)]
    /// Characteristics with their names.
    public let characteristics: [(uuid: BluetoothUUID, name: String)]

    /// Makes names.
    ///
    /// - Parameters:
    ///   - services: Services with their names.
    ///   - characteristics: Characteristics with their names.
    public init(services: [(BluetoothUUID, String)], characteristics: [(BluetoothUUID, String)]) {
        self.services = services.map { (uuid: $0.0, name: $0.1) }
        self.characteristics = characteristics.map { (uuid: $0.0, name: $0.1) }
    }

    private static let products = Products.all.map { $0.uuidNames }

    /// All services that have a name.
    public static var services: [(uuid: BluetoothUUID, name: String)] {
        AssignedNumbers.services + products.flatMap { $0.services }
    }

    /// All characteristics that have a name.
    public static var characteristics: [(uuid: BluetoothUUID, name: String)] {
        AssignedNumbers.characteristics + products.flatMap { $0.characteristics }
    }

    /// The name of a service, as it is assigned or as one of our products calls it.
    ///
    /// - Parameter service: The service's UUID.
    /// - Returns: For example "Battery" for 180F; all names where products share it.
    public static func name(ofService service: BluetoothUUID) -> String? {
        AssignedNumbers.name(ofService: service) ?? name(of: service) { $0.services }
    }

    /// The name of a characteristic, as it is assigned or as one of our products calls it.
    ///
    /// - Parameter characteristic: The characteristic's UUID.
    /// - Returns: For example "Battery Level" for 2A19; all names where products share it.
    public static func name(ofCharacteristic characteristic: BluetoothUUID) -> String? {
        AssignedNumbers.name(ofCharacteristic: characteristic)
            ?? name(of: characteristic) { $0.characteristics }
    }

    private static func name(
        of uuid: BluetoothUUID, in table: (UUIDNames) -> [(uuid: BluetoothUUID, name: String)]
    ) -> String? {
        let names = products.flatMap { table($0).filter { $0.uuid == uuid }.map { $0.name } }
        return names.isEmpty ? nil : names.joined(separator: " or ")
    }
}
