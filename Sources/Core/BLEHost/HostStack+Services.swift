// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEGATT
public import BLEWire

extension HostStack {
    /// Offers a service more, from now on, also to clients that are connected.
    ///
    /// They are told by Service Changed. What ``HostStack/offer(name:appearance:services:)`` offers takes the
    /// place of it.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - now: The moment.
    /// - Returns: Its handles; `nil` when they are taken or there is no room.
    public mutating func add(_ service: GATT.ServiceDefinition, at now: HostInstant) -> ATT.HandleRange? {
        guard let range = database.add(service) else { return nil }
        indicateChange(range, isRemoved: false, at: now)
        return range
    }

    /// Offers a service no more, from now on, also to clients that are connected.
    ///
    /// They are told by Service Changed. Their subscriptions to its values end without another event; a read
    /// or write of it that is still to be answered must be answered, and is refused whatever the answer.
    ///
    /// - Parameters:
    ///   - handle: The handle of its declaration.
    ///   - now: The moment.
    /// - Returns: Whether it was removed; not GAP and GATT, nor what another service includes.
    public mutating func removeService(at handle: AttributeHandle, at now: HostInstant) -> Bool {
        for uuid in [BluetoothUUID(0x1800), BluetoothUUID(0x1801)] where service(at: handle, is: uuid) {
            return false
        }
        guard let range = database.removeService(at: handle) else { return false }
        indicateChange(range, isRemoved: true, at: now)
        return true
    }

    private func service(at handle: AttributeHandle, is uuid: BluetoothUUID) -> Bool {
        var writer = ByteWriter(capacity: 2)
        uuid.encodeAttributeType(into: &writer)
        return database.attribute(handle)?.content == .constant(writer.octets)
    }

    private mutating func indicateChange(_ range: ATT.HandleRange, isRemoved: Bool, at now: HostInstant) {
        for link in links where link.life.isOpen {
            link.server.servicesChanged(range, isRemoved: isRemoved, database: database, at: now)
            drain(link, at: now)
        }
        pump(at: now)
    }
}
