// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts and in pages only.
#if !hasFeature(Embedded) || arch(wasm32)

import BLEWire

extension BulbDialect: CustomStringConvertible {
    /// Its keyword.
    public var description: String { keyword.string }
}

#endif
