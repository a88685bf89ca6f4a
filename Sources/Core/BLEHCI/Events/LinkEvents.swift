// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension HCI {
    /// A link has ended.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.5.
    public struct DisconnectionComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// Why it ended.
        public var reason: Status

        /// Makes the event.
        public init(status: Status, handle: ConnectionHandle, reason: Status) {
            self.status = status
            self.handle = handle
            self.reason = reason
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            reason = Status(rawValue: try reader.readUInt8())
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(reason.rawValue)
        }
    }

    /// A link is now encrypted or no longer so.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.8.
    public struct EncryptionChange: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// 0 off; 1 on, on LE with AES-CCM.
        public var encryption: UInt8

        /// Makes the event.
        public init(status: Status, handle: ConnectionHandle, encryption: UInt8) {
            self.status = status
            self.handle = handle
            self.encryption = encryption
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            encryption = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(encryption)
        }
    }

    /// Which controller the peer has.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.12.
    public struct ReadRemoteVersionInformationComplete: Parameters, Hashable {
        /// Success, or why not.
        public var status: Status
        /// Which link.
        public var handle: ConnectionHandle
        /// Version of its link layer, as in the assigned numbers.
        public var version: UInt8
        /// The maker of its controller.
        public var companyIdentifier: UInt16
        /// The maker's own revision.
        public var subversion: UInt16

        /// Makes the event.
        public init(
            status: Status, handle: ConnectionHandle, version: UInt8, companyIdentifier: UInt16,
            subversion: UInt16
        ) {
            self.status = status
            self.handle = handle
            self.version = version
            self.companyIdentifier = companyIdentifier
            self.subversion = subversion
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            status = Status(rawValue: try reader.readUInt8())
            handle = ConnectionHandle(rawValue: try reader.readUInt16())
            version = try reader.readUInt8()
            companyIdentifier = try reader.readUInt16()
            subversion = try reader.readUInt16()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(status.rawValue)
            writer.write(handle.rawValue)
            writer.write(version)
            writer.write(companyIdentifier)
            writer.write(subversion)
        }
    }

    /// The controller has failed in a way of its own.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.16.
    public struct HardwareError: Parameters, Hashable {
        /// The maker's code.
        public var code: UInt8

        /// Makes the event.
        public init(code: UInt8) {
            self.code = code
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            code = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(code)
        }
    }

    /// The host sent more data than the controller can hold.
    ///
    /// Spec: Core v5.4, Vol 4, Part E, 7.7.26.
    public struct DataBufferOverflow: Parameters, Hashable {
        /// 0 synchronous, 1 ACL, 2 isochronous.
        public var linkType: UInt8

        /// Makes the event.
        public init(linkType: UInt8) {
            self.linkType = linkType
        }

        /// Reads the parameters.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            linkType = try reader.readUInt8()
        }

        /// Appends the parameters.
        public func encode(into writer: inout ByteWriter) {
            writer.write(linkType)
        }
    }
}
