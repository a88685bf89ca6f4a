// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// A PDU of the Security Manager Protocol.
///
/// Spec: Core v5.4, Vol 3, Part H, 3.3.
public protocol SMPPDU: Hashable, Sendable {
    /// The PDU's first octet.
    static var code: SMP.Code { get }

    /// Reads what follows the code.
    ///
    /// - Parameter reader: Where to read; the caller checks that nothing is left.
    /// - Throws: ``DecodeError`` when the octets do not make such a PDU.
    init(decoding reader: inout ByteReader) throws(DecodeError)

    /// Appends what follows the code.
    ///
    /// - Parameter writer: Where to append.
    func encodeParameters(into writer: inout ByteWriter)
}

/// A PDU of one value of 16 octets, least significant first.
public protocol SMPValuePDU: SMPPDU {
    /// What it carries.
    var value: UInt128 { get }

    /// Makes the PDU.
    ///
    /// - Parameter value: What it carries.
    init(value: UInt128)
}

extension SMPValuePDU {
    /// Reads what follows the code.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        self.init(value: try UInt128(decoding: &reader))
    }

    /// Appends what follows the code.
    public func encodeParameters(into writer: inout ByteWriter) { writer.write(value) }
}

extension SMPPDU {
    /// The whole PDU.
    public var octets: [UInt8] {
        var writer = ByteWriter(capacity: SMP.maximumLength)
        writer.write(Self.code.rawValue)
        encodeParameters(into: &writer)
        return writer.octets
    }
}

extension UInt128 {
    /// Reads sixteen octets, least significant first.
    init(decoding reader: inout ByteReader) throws(DecodeError) {
        guard reader.remaining >= 16 else {
            throw DecodeError(.truncated(needed: 16 - reader.remaining), at: reader.offset)
        }
        let low = UInt128(try reader.readUInt64())
        self = low | UInt128(try reader.readUInt64()) &<< 64
    }
}

extension ByteWriter {
    /// Appends sixteen octets, least significant first.
    mutating func write(_ value: UInt128) {
        write(UInt64(truncatingIfNeeded: value))
        write(UInt64(truncatingIfNeeded: value &>> 64))
    }
}
