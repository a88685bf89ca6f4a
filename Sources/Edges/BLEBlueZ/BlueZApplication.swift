// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import DBus

/// The services of a server as the objects that BlueZ reads.
///
/// ```
/// /lantern/server1
/// /lantern/server1/service0001                     org.bluez.GattService1
/// /lantern/server1/service0001/char0002            org.bluez.GattCharacteristic1
/// /lantern/server1/service0001/char0002/desc0005   org.bluez.GattDescriptor1
/// ```
///
/// GAP and GATT are BlueZ's own, as are the descriptors that switch notifications or say extended properties. The
/// handles in the paths are ours; clients see those that BlueZ gives.
///
/// Source: BlueZ, doc/org.bluez.Gatt*.rst.
struct BlueZApplication {
    /// The objects by path, and of each its interfaces by name.
    private(set) var objects: [String: [String: DBusObjects.Properties]] = [:]
    /// The handles of the values behind the objects that have one.
    private(set) var handles: [String: AttributeHandle] = [:]
    /// The object of each value.
    private(set) var paths: [AttributeHandle: String] = [:]

    /// - Parameters:
    ///   - database: The attributes.
    ///   - root: The path above all objects.
    init(_ database: GATT.Database, root: String) {
        var (service, characteristic) = (String?.none, String?.none)
        var servicePaths: [AttributeHandle: String] = [:]
        for attribute in database.attributes {
            switch (attribute.type, attribute.content) {
            case (GATT.AttributeType.primaryService, .constant(let octets)),
                (GATT.AttributeType.secondaryService, .constant(let octets)):
                (service, characteristic) = (nil, nil)
                guard let uuid = Self.uuid(octets), !Self.own.contains(uuid) else { continue }
                let path = root + "/service" + attribute.handle.digits
                let isPrimary = attribute.type == GATT.AttributeType.primaryService
                objects[path] = [
                    BlueZ.gattService: ["UUID": .string(uuid.description), "Primary": .bool(isPrimary)]
                ]
                service = path
                servicePaths[attribute.handle] = path
            case (GATT.AttributeType.include, .constant(let octets)):
                guard let service, octets.count >= 2,
                    let included = servicePaths[
                        AttributeHandle(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)]
                else { continue }
                let known = objects[service]?[BlueZ.gattService]?["Includes"]?.strings ?? []
                objects[service]?[BlueZ.gattService]?["Includes"] = .array(
                    (known + [included]).map { .path($0) }, of: "o")
            case (GATT.AttributeType.characteristic, _):
                characteristic = service.map { $0 + "/char" + attribute.handle.digits }
            case (let uuid, .value(let properties, _)) where objects[characteristic ?? ""] == nil:
                guard let service, let characteristic else { continue }
                var described: DBusObjects.Properties = [
                    "UUID": .string(uuid.description), "Service": .path(service),
                    "Flags": .array(Self.flags(properties, attribute.access).map { .string($0) }, of: "s"),
                ]
                // Where there is one, BlueZ takes notifications from a socket and says who has subscribed.
                if properties.contains(.notify) { described["NotifyAcquired"] = .bool(false) }
                add(characteristic, BlueZ.characteristic, described, attribute.handle)
            case (GATT.AttributeType.clientConfiguration, _), (GATT.AttributeType.extendedProperties, _):
                continue
            case (let uuid, let content):
                guard let characteristic, objects[characteristic] != nil else { continue }
                var flags = ["read"]
                if case .value(let properties, _) = content {
                    flags = Self.flags(properties, attribute.access)
                }
                add(
                    characteristic + "/desc" + attribute.handle.digits, BlueZ.descriptor,
                    [
                        "UUID": .string(uuid.description), "Characteristic": .path(characteristic),
                        "Flags": .array(flags.map { .string($0) }, of: "s"),
                    ], attribute.handle)
            }
        }
    }

    private mutating func add(
        _ path: String, _ interface: String, _ properties: DBusObjects.Properties, _ handle: AttributeHandle
    ) {
        objects[path] = [interface: properties]
        handles[path] = handle
        paths[handle] = path
    }

    /// Whether a link must be protected before it is sent something.
    var protectsWhatIsSent: Bool {
        let words: Set = [
            "encrypt-notify", "encrypt-indicate", "encrypt-authenticated-notify",
            "encrypt-authenticated-indicate",
        ]
        return objects.values.contains { interfaces in
            !words.isDisjoint(with: interfaces[BlueZ.characteristic]?["Flags"]?.strings ?? [])
        }
    }

    /// What GetManagedObjects gives.
    var managedObjects: DBusValue {
        var all: [DBusValue: DBusValue] = [:]
        for (path, interfaces) in objects {
            var described: [DBusValue: DBusValue] = [:]
            for (name, properties) in interfaces { described[.string(name)] = .options(properties) }
            all[.path(path)] = .dictionary(described, key: "s", value: "a{sv}")
        }
        return .dictionary(all, key: "o", value: "a{sa{sv}}")
    }

    /// The services that are BlueZ's own: GAP and GATT.
    private static let own: Set<BluetoothUUID> = [BluetoothUUID(0x1800), BluetoothUUID(0x1801)]

    private static func uuid(_ octets: [UInt8]) -> BluetoothUUID? {
        var reader = ByteReader(octets.octetSpan.bytes)
        return try? BluetoothUUID(decodingAttributeType: &reader)
    }

    /// BlueZ's words for what may be done, and what a link must be before that.
    static func flags(_ properties: GATT.Properties, _ access: GATT.Access) -> [String] {
        var flags: [String] = []
        func add(_ property: GATT.Properties, _ word: String, _ security: SecurityLevel, _ kind: String) {
            guard properties.contains(property) else { return }
            flags.append(word)
            switch security {
            case .none: break
            case .encrypted: flags.append("encrypt-" + kind)
            case .authenticated: flags.append("encrypt-authenticated-" + kind)
            case .secureConnections: flags.append("secure-" + kind)
            }
        }
        add(.broadcast, "broadcast", .none, "")
        add(.read, "read", access.read, "read")
        add(.writeWithoutResponse, "write-without-response", access.write, "write")
        add(.write, "write", access.write, "write")
        add(.notify, "notify", access.subscribe, "notify")
        add(.indicate, "indicate", access.subscribe, "indicate")
        add(.authenticatedSignedWrites, "authenticated-signed-writes", .none, "")
        return flags
    }
}

extension AttributeHandle {
    /// Four digits, as BlueZ writes handles.
    fileprivate var digits: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
