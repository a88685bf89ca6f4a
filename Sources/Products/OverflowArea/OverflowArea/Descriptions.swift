// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEWire

extension OverflowMap: CustomStringConvertible {
    /// 32 hex digits, as on the air.
    public var description: String { octets.hexadecimal }
}

extension OverflowPayload: CustomStringConvertible {
    /// Eight hex digits.
    public var description: String { octets.hexadecimal }
}

extension OverflowCodec: CustomStringConvertible {
    /// The word of commands and scripts.
    public var description: String {
        switch self {
        case .v1: "v1"
        case .v2: "v2"
        }
    }
}

extension OverflowReceiver.Reason: CustomStringConvertible {
    /// The words of commands and scripts.
    public var description: String {
        switch self {
        case .polluted: "polluted"
        case .unknownPosition: "unknown position"
        case .noMatch: "no match"
        case .truncated: "truncated"
        }
    }
}

#endif
