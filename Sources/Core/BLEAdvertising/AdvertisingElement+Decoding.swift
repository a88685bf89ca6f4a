// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension AdvertisingElement {
    /// Decodes the data of a structure.
    ///
    /// - Parameters:
    ///   - reader: The structure's octets after its type, and nothing else.
    ///   - type: The structure's type.
    /// - Throws: ``DecodeError`` when they do not fit; what is left over is for the caller to judge.
    public init(decoding reader: inout ByteReader, as type: AdvertisingDataType) throws(DecodeError) {
        if let width = type.serviceListWidth {
            self = .services(try Self.uuids(&reader, width), width, isComplete: type.isCompleteServiceList)
        } else if let width = type.solicitationWidth {
            self = .solicitedServices(try Self.uuids(&reader, width), width)
        } else if let width = type.serviceDataWidth {
            let uuid = try BluetoothUUID(decoding: &reader, width: width.octetCount)
            self = .serviceData(ServiceData(uuid: uuid, data: reader.readRemaining()))
        } else {
            if let simple = try Self.simple(&reader, type) {
                self = simple
            } else {
                self = try Self.structured(&reader, type)
            }
        }
    }

    /// What is one number or text.
    private static func simple(
        _ reader: inout ByteReader, _ type: AdvertisingDataType
    ) throws(DecodeError) -> AdvertisingElement? {
        switch type {
        case .flags:
            // Octets after the first are for later versions, and even the first may be left out.
            return .flags(AdvertisingFlags(rawValue: reader.readRemaining().first ?? 0))
        case .completeLocalName: return .completeName(WireText(reader.readRemaining()))
        case .shortenedLocalName: return .shortenedName(WireText(reader.readRemaining()))
        case .broadcastName: return .broadcastName(WireText(reader.readRemaining()))
        case .txPowerLevel: return .txPower(try reader.readInt8())
        case .classOfDevice: return .classOfDevice(try reader.readUInt24())
        case .securityManagerFlags:
            return .securityManagerFlags(SecurityManagerFlags(rawValue: try reader.readUInt8()))
        case .appearance: return .appearance(try reader.readUInt16())
        case .role: return .role(LERole(rawValue: try reader.readUInt8()))
        case .supportedFeatures: return .supportedFeatures(reader.readRemaining())
        case .meshMessage: return .meshMessage(reader.readRemaining())
        case .electronicShelfLabel: return .electronicShelfLabel(reader.readRemaining())
        case .broadcastCode: return .broadcastCode(try reader.readOctets(16))
        case .simplePairingHash192, .simplePairingRandomizer192, .simplePairingHash256,
            .simplePairingRandomizer256, .secureConnectionsConfirmation, .secureConnectionsRandom:
            return .pairingValue(type, try reader.readOctets(16))
        default: return nil
        }
    }

    /// What has fields.
    private static func structured(
        _ reader: inout ByteReader, _ type: AdvertisingDataType
    ) throws(DecodeError) -> AdvertisingElement {
        switch type {
        case .deviceIDOrTemporaryKey where reader.remaining == 16:
            return .pairingValue(type, reader.readRemaining())
        case .deviceIDOrTemporaryKey: return .deviceID(try DeviceID(decoding: &reader))
        case .peripheralConnectionIntervalRange:
            return .connectionIntervals(try ConnectionIntervalRange(decoding: &reader))
        case .publicTargetAddress: return .targets(try addresses(&reader, .public), .public)
        case .randomTargetAddress: return .targets(try addresses(&reader, .random), .random)
        case .advertisingInterval:
            return .advertisingInterval(LongAdvertisingInterval(rawValue: UInt32(try reader.readUInt16())))
        case .longAdvertisingInterval:
            return .advertisingInterval(try LongAdvertisingInterval(decodingLong: &reader))
        case .deviceAddress: return .deviceAddress(try address(&reader))
        case .uri: return .uri(try AdvertisedURI(decoding: &reader))
        case .transportDiscoveryData: return .transportDiscovery(try TransportBlock.all(&reader))
        case .channelMapUpdate: return .channelMapUpdate(try ChannelMapUpdate(decoding: &reader))
        case .meshProvisioning: return .meshProvisioning(try MeshProvisioningPDU(decoding: &reader))
        case .meshBeacon: return .meshBeacon(try MeshBeacon(decoding: &reader))
        case .bigInfo: return .bigInfo(try BIGInfo(decoding: &reader))
        case .resolvableSetIdentifier:
            return .resolvableSetIdentifier(try ResolvableSetIdentifier(decoding: &reader))
        case .encryptedData: return .encrypted(try EncryptedAdvertisingData(decoding: &reader))
        case .periodicResponseTiming:
            return .periodicResponseTiming(try PeriodicResponseTiming(decoding: &reader))
        case .threeDInformation: return .threeDInformation(try ThreeDInformation(decoding: &reader))
        case .manufacturerSpecific:
            let company = try reader.readUInt16()
            return .manufacturerData(ManufacturerData(company: company, data: reader.readRemaining()))
        default: return .other(type, reader.readRemaining())
        }
    }

    private static func uuids(
        _ reader: inout ByteReader, _ width: UUIDWidth
    ) throws(DecodeError) -> [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        while !reader.isAtEnd {
            uuids.append(try BluetoothUUID(decoding: &reader, width: width.octetCount))
        }
        return uuids
    }

    private static func addresses(
        _ reader: inout ByteReader, _ kind: BluetoothAddress.Kind
    ) throws(DecodeError) -> [BluetoothAddress] {
        var addresses: [BluetoothAddress] = []
        repeat {
            addresses.append(try BluetoothAddress(decoding: &reader, kind: kind))
        } while !reader.isAtEnd
        return addresses
    }

    /// An address, and behind it whether it is random.
    private static func address(_ reader: inout ByteReader) throws(DecodeError) -> BluetoothAddress {
        let address = try BluetoothAddress(decoding: &reader, kind: .public)
        let kind = try reader.readUInt8()
        return BluetoothAddress(address.value, kind: kind & 1 == 0 ? .public : .random)
    }
}
