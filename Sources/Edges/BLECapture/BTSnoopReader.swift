// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension BTSnoop {
    /// Why octets are not a capture that we read.
    public enum Failure: Error, Hashable, Sendable {
        /// The file does not begin as a capture does.
        case notACapture
        /// The file has another version.
        case unknownVersion(UInt32)
        /// The packets are not HCI packets with an H4 type octet.
        case unknownDataLink(UInt32)
        /// A record is damaged or ends early, as the last one does when its writer was killed.
        case badRecord(DecodeError)
    }

    /// Reads the packets of a capture file, one after the other.
    public struct Reader: Sendable {
        let octets: [UInt8]
        var position: Int

        /// Opens a file.
        ///
        /// - Parameter octets: The whole file.
        /// - Throws: ``Failure`` when it is not a capture of HCI packets with an H4 type octet.
        public init(_ octets: [UInt8]) throws(Failure) {
            guard octets.starts(with: BTSnoop.magic) else { throw .notACapture }
            var reader = ByteReader(octets.octetSpan.bytes)
            let version: UInt32
            let dataLink: UInt32
            do throws(DecodeError) {
                try reader.skip(BTSnoop.magic.count)
                version = try reader.readUInt32().byteSwapped
                dataLink = try reader.readUInt32().byteSwapped
            } catch {
                throw .notACapture
            }
            guard version == BTSnoop.version else { throw .unknownVersion(version) }
            guard dataLink == BTSnoop.dataLink else { throw .unknownDataLink(dataLink) }
            self.octets = octets
            position = reader.offset
        }

        /// Reads the next packet.
        ///
        /// - Returns: The packet; `nil` at the end of the file.
        /// - Throws: ``Failure/badRecord(_:)`` with the octet of the file; it is thrown again each time.
        public mutating func next() throws(Failure) -> Record? {
            guard position < octets.count else { return nil }
            var reader = ByteReader(octets.octetSpan.bytes)
            do throws(DecodeError) {
                try reader.skip(position)
                let record = try Record(decoding: &reader)
                position = reader.offset
                return record
            } catch {
                throw .badRecord(error)
            }
        }
    }
}

extension BTSnoop.Record {
    /// Reads one record.
    init(decoding reader: inout ByteReader) throws(DecodeError) {
        let start = reader.offset
        let original = try reader.readUInt32().byteSwapped
        let included = try reader.readUInt32().byteSwapped
        guard included <= original, original <= BTSnoop.maximumPacketLength else {
            throw DecodeError(.badLength(Int(included)), at: start)
        }
        let flags = try reader.readUInt32().byteSwapped
        let drops = try reader.readUInt32().byteSwapped
        let time = Int64(bitPattern: try reader.readUInt64().byteSwapped)
        self.init(
            direction: flags & 1 == 0 ? .toController : .toHost,
            unixMicroseconds: time &- BTSnoop.unixEpoch,
            packet: try reader.readOctets(Int(included)),
            drops: drops)
        originalLength = Int(original)
    }
}
