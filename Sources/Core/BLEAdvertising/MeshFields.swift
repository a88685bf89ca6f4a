// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// A part of a mesh provisioning over advertisements.
///
/// Mesh numbers have their most significant octet first.
///
/// Spec: Mesh Protocol v1.1, 5.2.1.
public struct MeshProvisioningPDU: Hashable, Sendable {
    /// The link.
    public var link: UInt32
    /// The transaction.
    public var transaction: UInt8
    /// The generic provisioning PDU.
    public var pdu: [UInt8]

    /// Makes a part.
    public init(link: UInt32, transaction: UInt8, pdu: [UInt8]) {
        self.link = link
        self.transaction = transaction
        self.pdu = pdu
    }

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        link = try reader.readUInt32().byteSwapped
        transaction = try reader.readUInt8()
        pdu = reader.readRemaining()
    }

    func encode(into writer: inout ByteWriter) {
        writer.write(link.byteSwapped)
        writer.write(transaction)
        writer.write(pdu)
    }
}

/// A mesh beacon.
///
/// Spec: Mesh Protocol v1.1, 3.10.
public enum MeshBeacon: Hashable, Sendable {
    /// A device that belongs to no network yet: 16 octets of UUID, how to authenticate it, 4 octets of hash.
    case unprovisioned(device: [UInt8], outOfBand: UInt16, uriHash: [UInt8]?)
    /// A network: flags, 8 octets of its identity, its IV index, 8 octets of authentication.
    case secureNetwork(flags: UInt8, network: [UInt8], ivIndex: UInt32, authentication: [UInt8])
    /// A network that shows itself to its members: 13 random octets, 5 hidden ones, 8 of authentication.
    case privateNetwork(random: [UInt8], hidden: [UInt8], authentication: [UInt8])
    /// A beacon of another type.
    case other(UInt8, [UInt8])

    init(decoding reader: inout ByteReader) throws(DecodeError) {
        let type = try reader.readUInt8()
        switch type {
        case 0:
            let device = try reader.readOctets(16)
            let outOfBand = try reader.readUInt16().byteSwapped
            self = .unprovisioned(
                device: device, outOfBand: outOfBand,
                uriHash: reader.isAtEnd ? nil : try reader.readOctets(4))
        case 1:
            let flags = try reader.readUInt8()
            let network = try reader.readOctets(8)
            let ivIndex = try reader.readUInt32().byteSwapped
            self = .secureNetwork(
                flags: flags, network: network, ivIndex: ivIndex, authentication: try reader.readOctets(8))
        case 2:
            let random = try reader.readOctets(13)
            let hidden = try reader.readOctets(5)
            self = .privateNetwork(
                random: random, hidden: hidden, authentication: try reader.readOctets(8))
        default: self = .other(type, reader.readRemaining())
        }
    }

    func encode(into writer: inout ByteWriter) {
        switch self {
        case .unprovisioned(let device, let outOfBand, let uriHash):
            writer.write(0 as UInt8)
            writer.write(device)
            writer.write(outOfBand.byteSwapped)
            writer.write(uriHash ?? [])
        case .secureNetwork(let flags, let network, let ivIndex, let authentication):
            writer.write([1, flags])
            writer.write(network)
            writer.write(ivIndex.byteSwapped)
            writer.write(authentication)
        case .privateNetwork(let random, let hidden, let authentication):
            writer.write(2 as UInt8)
            for part in [random, hidden, authentication] { writer.write(part) }
        case .other(let type, let octets):
            writer.write(type)
            writer.write(octets)
        }
    }
}
