// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension AttributeHandle {
    /// `0x` and four hex digits.
    public var text: String { "0x" + rawValue.hexadecimal }
}

extension UInt16 {
    /// Four lower-case hex digits.
    public var hexadecimal: String { [UInt8(self >> 8), UInt8(self & 0xFF)].hexadecimal }
}
