// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension ATT {
    /// ATT_ERROR_RSP: why a request was refused.
    ///
    /// | offset | size | field             | notes                      |
    /// |--------|------|-------------------|----------------------------|
    /// | 0      | 1    | opcode            | 0x01                       |
    /// | 1      | 1    | request opcode    |                            |
    /// | 2      | 2    | attribute handle  | 0 when none is to blame    |
    /// | 4      | 1    | error code        |                            |
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1.
    public struct ErrorResponse: ATTPDU, Error {
        /// The PDU's first octet.
        public static let opcode = Opcode.errorResponse
        /// The request that was refused.
        public var request: Opcode
        /// The attribute to blame; 0 when there is none.
        public var handle: AttributeHandle
        /// Why it was refused.
        public var code: ErrorCode

        /// Makes a response.
        public init(request: Opcode, handle: AttributeHandle, code: ErrorCode) {
            self.request = request
            self.handle = handle
            self.code = code
        }

        /// Reads what follows the opcode.
        public init(decoding reader: inout ByteReader) throws(DecodeError) {
            request = Opcode(rawValue: try reader.readUInt8())
            handle = try AttributeHandle(decoding: &reader)
            code = ErrorCode(rawValue: try reader.readUInt8())
        }

        /// Appends what follows the opcode.
        public func encodeParameters(into writer: inout ByteWriter) {
            writer.write(request.rawValue)
            writer.write(handle.rawValue)
            writer.write(code.rawValue)
        }
    }
}
