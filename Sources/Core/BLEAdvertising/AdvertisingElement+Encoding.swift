// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension AdvertisingElement {
    /// The type of the structure that says this.
    public var type: AdvertisingDataType {
        switch self {
        case .flags: .flags
        case .services(let uuids, let width, let isComplete):
            .services(width.widened(for: uuids), isComplete: isComplete)
        case .solicitedServices(let uuids, let width): .solicitation(width.widened(for: uuids))
        case .serviceData(let data): .serviceData(UUIDWidth.bits16.widened(for: [data.uuid]))
        case .completeName: .completeLocalName
        case .shortenedName: .shortenedLocalName
        case .broadcastName: .broadcastName
        case .txPower: .txPowerLevel
        case .classOfDevice: .classOfDevice
        case .pairingValue(let type, _): type
        case .deviceID: .deviceIDOrTemporaryKey
        case .securityManagerFlags: .securityManagerFlags
        case .connectionIntervals: .peripheralConnectionIntervalRange
        case .targets(_, let kind): kind == .public ? .publicTargetAddress : .randomTargetAddress
        case .appearance: .appearance
        case .advertisingInterval(let interval):
            interval.rawValue <= 0xFFFF ? .advertisingInterval : .longAdvertisingInterval
        case .deviceAddress: .deviceAddress
        case .role: .role
        case .uri: .uri
        case .transportDiscovery: .transportDiscoveryData
        case .supportedFeatures: .supportedFeatures
        case .channelMapUpdate: .channelMapUpdate
        case .meshProvisioning: .meshProvisioning
        case .meshMessage: .meshMessage
        case .meshBeacon: .meshBeacon
        case .bigInfo: .bigInfo
        case .broadcastCode: .broadcastCode
        case .resolvableSetIdentifier: .resolvableSetIdentifier
        case .encrypted: .encryptedData
        case .periodicResponseTiming: .periodicResponseTiming
        case .electronicShelfLabel: .electronicShelfLabel
        case .threeDInformation: .threeDInformation
        case .manufacturerData: .manufacturerSpecific
        case .other(let type, _): type
        }
    }

    /// Appends the data of the structure, without its length and type.
    ///
    /// - Parameter writer: Where to append.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .flags(let flags): writer.write(flags.rawValue)
        case .services(let uuids, let width, _), .solicitedServices(let uuids, let width):
            let width = width.widened(for: uuids)
            for uuid in uuids { width.encode(uuid, into: &writer) }
        case .serviceData(let data):
            UUIDWidth.bits16.widened(for: [data.uuid]).encode(data.uuid, into: &writer)
            writer.write(data.data)
        case .completeName(let name), .shortenedName(let name), .broadcastName(let name):
            writer.write(name.octets)
        case .txPower(let power): writer.write(power)
        case .classOfDevice(let value): writer.writeUInt24(value & 0xFF_FFFF)
        case .pairingValue(_, let octets), .supportedFeatures(let octets), .meshMessage(let octets),
            .broadcastCode(let octets), .electronicShelfLabel(let octets), .other(_, let octets):
            writer.write(octets)
        case .deviceID(let value): value.encode(into: &writer)
        case .securityManagerFlags(let flags): writer.write(flags.rawValue)
        case .connectionIntervals(let value): value.encode(into: &writer)
        case .targets(let addresses, _): for address in addresses { address.encode(into: &writer) }
        case .appearance(let value): writer.write(value)
        case .advertisingInterval(let value): value.encode(into: &writer)
        case .deviceAddress(let address):
            address.encode(into: &writer)
            writer.write(UInt8(address.kind == .public ? 0 : 1))
        case .role(let role): writer.write(role.rawValue)
        case .uri(let value): value.encode(into: &writer)
        case .transportDiscovery(let blocks): for block in blocks { block.encode(into: &writer) }
        case .channelMapUpdate(let value): value.encode(into: &writer)
        case .meshProvisioning(let value): value.encode(into: &writer)
        case .meshBeacon(let value): value.encode(into: &writer)
        case .bigInfo(let value): value.encode(into: &writer)
        case .resolvableSetIdentifier(let value): value.encode(into: &writer)
        case .encrypted(let value): value.encode(into: &writer)
        case .periodicResponseTiming(let value): value.encode(into: &writer)
        case .threeDInformation(let value): value.encode(into: &writer)
        case .manufacturerData(let data):
            writer.write(data.company)
            writer.write(data.data)
        }
    }
}

extension AdvertisingDataBuilder {
    /// Appends a structure.
    ///
    /// - Parameter element: What it says.
    /// - Throws: ``Overflow`` when it does not fit; nothing is appended then.
    public mutating func append(_ element: AdvertisingElement) throws(Overflow) {
        var writer = ByteWriter()
        element.encode(into: &writer)
        try append(element.type, writer.octets)
    }
}
