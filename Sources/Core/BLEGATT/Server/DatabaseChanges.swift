// SPDX-License-Identifier: Apache-2.0

public import BLEATT
public import BLEWire

extension GATT.Database {
    /// Adds a service to those that there are.
    ///
    /// Without a handle of its own it stands behind all handles that were ever used, so that no client takes
    /// it for one that it knew; when those are used up, in the first gap that holds it.
    ///
    /// - Parameter service: The service; what it includes must be there or be itself, else it is left out.
    /// - Returns: Its handles; `nil` when they are taken or there is no room.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func add(_ service: GATT.ServiceDefinition) -> ATT.HandleRange? {
        let offered = [service.uuid] + serviceUUIDs
        var starts = [service.handle ?? highest.next]
        if service.handle == nil {
            starts.append(.first)
            starts += attributes.filter { $0.isService }.map { $0.groupEnd.next }
        }
        for start in starts {
            var layout = ServiceLayout(from: start, offered: offered)
            layout.append(service)
            guard !layout.hasFailed, let first = layout.attributes.first?.handle,
                let last = layout.attributes.last?.handle, isFree(first, last)
            else { continue }
            attributes.insert(contentsOf: layout.attributes, at: index(notBefore: first))
            highest = max(highest, last)
            resolveIncludes(layout.includes)
            updateHash()
            return ATT.HandleRange(start: first, end: last)
        }
        return nil
    }

    /// Takes a service away.
    ///
    /// - Parameter handle: The handle of its declaration.
    /// - Returns: Its handles; `nil` when no service is declared there, or another one includes it.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func removeService(at handle: AttributeHandle) -> ATT.HandleRange? {
        guard let service = attribute(handle), service.isService else { return nil }
        let start = [UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8)]
        for attribute in attributes where attribute.type == GATT.AttributeType.include {
            let isInside = attribute.handle >= handle && attribute.handle <= service.groupEnd
            if !isInside, case .constant(let value) = attribute.content, Array(value.prefix(2)) == start {
                return nil
            }
        }
        attributes.removeAll { $0.handle >= handle && $0.handle <= service.groupEnd }
        updateHash()
        return ATT.HandleRange(start: handle, end: service.groupEnd)
    }

    /// What the services are, in handle order.
    private var serviceUUIDs: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        for attribute in attributes where attribute.isService {
            guard case .constant(let octets) = attribute.content else { continue }
            var reader = ByteReader(octets.octetSpan.bytes)
            do throws(DecodeError) {
                uuids.append(try BluetoothUUID(decodingAttributeType: &reader))
            } catch {
                // A declaration that this type has made can be read.
                continue
            }
        }
        return uuids
    }

    /// Whether no attribute has any of the handles, and no service goes over them.
    private func isFree(_ first: AttributeHandle, _ last: AttributeHandle) -> Bool {
        !attributes.contains { $0.handle <= last && first <= $0.groupEnd }
    }
}
