// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension GATT {
    /// A server's services, to be kept from one connection to the next.
    ///
    /// They hold as long as the server's Database Hash is the same.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 2.5.2 and 7.3.
    public struct KnownServices: Hashable, Sendable {
        /// The server's Database Hash: 16 octets.
        public var hash: [UInt8]
        /// The services, in handle order.
        public var services: [Service]

        /// Makes a memory of services.
        public init(hash: [UInt8], services: [Service]) {
            self.hash = hash
            self.services = services
        }

        /// How many attributes they name.
        public var attributeCount: Int {
            services.reduce(0) { count, service in
                service.characteristics.reduce(count + 1 + service.includes.count) { count, characteristic in
                    count + 2 + characteristic.descriptors.count
                }
            }
        }
    }

    /// What a search for services has found.
    public struct FoundServices: Hashable, Sendable {
        /// The services, in handle order.
        public var services: [Service]
        /// The server's Database Hash, if it has one.
        public var hash: [UInt8]?
        /// Whether they are those that were known before.
        public var wereKnown: Bool
        /// What the server has said wrongly, or has not said; the first faults, if there are very many.
        public var faults: [DiscoveryViolation]

        /// Makes what a search has found.
        public init(
            services: [Service], hash: [UInt8]? = nil, wereKnown: Bool = false,
            faults: [DiscoveryViolation] = []
        ) {
            self.services = services
            self.hash = hash
            self.wereKnown = wereKnown
            self.faults = faults
        }

        /// What to keep for the next connection; `nil` when the server cannot tell then whether it still holds, and
        /// when it may say more then.
        public var memory: KnownServices? {
            faults.isEmpty ? hash.map { KnownServices(hash: $0, services: services) } : nil
        }
    }
}

extension GATT.KnownServices {
    /// The version of the form in which services are stored.
    private static let version: UInt8 = 1

    /// The services as octets, to be stored by whoever wants to.
    ///
    /// | size | field | notes |
    /// |------|-------|-------|
    /// | 1 | version | 1 |
    /// | 16 | hash | |
    /// | 2 | count | services |
    /// | 22 | service | UUID (16), handle, end handle, primary (1), count of includes and of characteristics follow |
    /// | 22 | include | handle, UUID (16), start handle, end handle |
    /// | 25 | characteristic | UUID (16), handle, value handle, end handle, properties (1), count of descriptors |
    /// | 18 | descriptor | UUID (16), handle |
    public var octets: [UInt8] {
        var writer = ByteWriter(capacity: 19 + attributeCount * 26)
        writer.write(Self.version)
        writer.write(Array((hash + [UInt8](repeating: 0, count: 16)).prefix(16)))
        writer.write(UInt16(clamping: services.count))
        for service in services.prefix(0xFFFF) {
            service.uuid.encode128(into: &writer)
            writer.write(service.handle.rawValue)
            writer.write(service.endHandle.rawValue)
            writer.write(service.isPrimary ? 1 : 0 as UInt8)
            writer.write(UInt16(clamping: service.includes.count))
            for include in service.includes.prefix(0xFFFF) {
                writer.write(include.handle.rawValue)
                include.uuid.encode128(into: &writer)
                writer.write(include.startHandle.rawValue)
                writer.write(include.endHandle.rawValue)
            }
            writer.write(UInt16(clamping: service.characteristics.count))
            for characteristic in service.characteristics.prefix(0xFFFF) {
                characteristic.uuid.encode128(into: &writer)
                writer.write(characteristic.handle.rawValue)
                writer.write(characteristic.valueHandle.rawValue)
                writer.write(characteristic.endHandle.rawValue)
                writer.write(characteristic.properties.rawValue)
                writer.write(UInt16(clamping: characteristic.descriptors.count))
                for descriptor in characteristic.descriptors.prefix(0xFFFF) {
                    descriptor.uuid.encode128(into: &writer)
                    writer.write(descriptor.handle.rawValue)
                }
            }
        }
        return writer.octets
    }

    /// Reads what ``octets`` has made.
    ///
    /// - Parameter octets: All of it.
    /// - Throws: ``DecodeError`` when it is something else; then it is best forgotten.
    public init(octets: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(octets.octetSpan.bytes)
        guard try reader.readUInt8() == Self.version else { throw DecodeError(.outOfRange(0), at: 0) }
        hash = try reader.readOctets(16)
        services = []
        for _ in 0..<(try reader.readUInt16()) { services.append(try GATT.Service(decoding: &reader)) }
        try reader.finish()
    }
}

extension GATT.Service {
    fileprivate init(decoding reader: inout ByteReader) throws(DecodeError) {
        self.init(
            uuid: try BluetoothUUID(decoding: &reader, width: 16),
            handle: try AttributeHandle(decoding: &reader), endHandle: try AttributeHandle(decoding: &reader),
            isPrimary: try reader.readUInt8() != 0)
        for _ in 0..<(try reader.readUInt16()) {
            let handle = try AttributeHandle(decoding: &reader)
            includes.append(
                GATT.Include(
                    handle: handle, uuid: try BluetoothUUID(decoding: &reader, width: 16),
                    startHandle: try AttributeHandle(decoding: &reader),
                    endHandle: try AttributeHandle(decoding: &reader)))
        }
        for _ in 0..<(try reader.readUInt16()) {
            characteristics.append(try GATT.Characteristic(decoding: &reader))
        }
    }
}

extension GATT.Characteristic {
    fileprivate init(decoding reader: inout ByteReader) throws(DecodeError) {
        self.init(
            uuid: try BluetoothUUID(decoding: &reader, width: 16),
            handle: try AttributeHandle(decoding: &reader),
            valueHandle: try AttributeHandle(decoding: &reader),
            endHandle: try AttributeHandle(decoding: &reader),
            properties: GATT.Properties(rawValue: try reader.readUInt8()))
        for _ in 0..<(try reader.readUInt16()) {
            descriptors.append(
                GATT.Descriptor(
                    uuid: try BluetoothUUID(decoding: &reader, width: 16),
                    handle: try AttributeHandle(decoding: &reader)))
        }
    }
}
