// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A PDU of the Attribute Protocol.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.3.
public protocol ATTPDU: Hashable, Sendable {
    /// The PDU's first octet.
    static var opcode: ATT.Opcode { get }

    /// Reads what follows the opcode.
    ///
    /// - Parameter reader: Where to read; the caller checks that nothing is left.
    /// - Throws: ``DecodeError`` when the octets do not make such a PDU.
    init(decoding reader: inout ByteReader) throws(DecodeError)

    /// Appends what follows the opcode.
    ///
    /// - Parameter writer: Where to append.
    func encodeParameters(into writer: inout ByteWriter)
}

extension ATTPDU {
    /// The whole PDU.
    public var octets: [UInt8] {
        var writer = ByteWriter(capacity: 32)
        writer.write(Self.opcode.rawValue)
        encodeParameters(into: &writer)
        return writer.octets
    }

    /// Reads a whole PDU.
    ///
    /// - Parameter octets: The PDU, opcode included.
    /// - Throws: ``DecodeError`` when the octets are anything but exactly one such PDU.
    public init(octets: RawSpan) throws(DecodeError) {
        var reader = ByteReader(octets)
        let code = try reader.readUInt8()
        guard code == Self.opcode.rawValue else { throw DecodeError(.unknownCode(UInt64(code)), at: 0) }
        try self.init(decoding: &reader)
        try reader.finish()
    }
}
