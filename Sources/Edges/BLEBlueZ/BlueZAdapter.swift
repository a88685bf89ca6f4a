// SPDX-License-Identifier: Apache-2.0

public import BLETransport
public import BLEWire
public import BluetoothLE
public import DBus

/// An adapter that bluetoothd has.
public struct BlueZAdapter: Hashable, Sendable {
    /// Its name, as in `hci0`.
    public let name: String
    /// Its public address; `nil` when it has none that makes sense.
    public let address: BluetoothAddress?
    /// Whether it is switched on.
    public let isPowered: Bool

    /// Reads the adapters among BlueZ's objects, sorted by name.
    static func all(in objects: DBusObjects) -> [BlueZAdapter] {
        objects.all(BlueZ.adapter).compactMap { path, properties in
            guard let name = path.split(separator: "/").last else { return nil }
            return BlueZAdapter(
                name: String(name),
                address: properties["Address"]?.string.flatMap { BluetoothAddress($0, kind: .public) },
                isPowered: properties["Powered"]?.bool == true)
        }
        .sorted { $0.name < $1.name }
    }

    /// Asks bluetoothd, which is not started by that.
    ///
    /// - Parameters:
    ///   - address: The bus that bluetoothd is on.
    ///   - loop: What to run on.
    /// - Returns: Its adapters, sorted by name.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` when there is no D-Bus or no bluetoothd: the text says which,
    ///   and what to do.
    public static func all(
        bus address: String = DBusConnection.systemAddress, on loop: TransportLoop
    ) async throws(BluetoothError) -> [BlueZAdapter] {
        do throws(DBusError) {
            let bus = try DBusConnection.open(address, on: loop)
            defer { bus.close() }
            let limit = Duration.seconds(3)
            let isThere = try await bus.call(.hasOwner(of: BlueZ.service), timeout: limit).first?.bool
            guard isThere == true else { throw .unavailable(BlueZ.absence) }
            return all(
                in: try DBusObjects(
                    answer: try await bus.call(DBusObjects.list(of: BlueZ.service), timeout: limit)))
        } catch {
            switch error {
            case .unavailable(BlueZ.absence): throw .radioUnavailable(BlueZ.absence)
            case .cancelled: throw .cancelled
            default: throw .radioUnavailable(error.description)
            }
        }
    }
}
