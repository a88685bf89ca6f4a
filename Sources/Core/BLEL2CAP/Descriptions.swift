// SPDX-License-Identifier: Apache-2.0

import BLEWire

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

extension L2CAP.ChannelID: CustomStringConvertible {
    /// Four hex digits, as in `0x0040`.
    public var description: String { "0x" + [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)].hexadecimal }
}

extension L2CAP.PSM: CustomStringConvertible {
    /// Four hex digits, as in `0x0080`.
    public var description: String { "0x" + [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)].hexadecimal }
}

#endif
