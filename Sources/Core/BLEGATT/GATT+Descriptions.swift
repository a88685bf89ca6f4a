// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

extension GATT.Properties: CustomStringConvertible {
    /// The properties in words, in the order of their bits: "read, notify".
    public var description: String {
        let words = [
            "broadcast", "read", "write without response", "write", "notify", "indicate", "signed writes",
            "extended properties",
        ]
        return words.indices.filter { rawValue >> $0 & 1 != 0 }.map { words[$0] }.joined(separator: ", ")
    }
}

extension GATT.Subscription: CustomStringConvertible {
    /// What was subscribed to, in words.
    public var description: String {
        let words = [contains(.notify) ? "notify" : nil, contains(.indicate) ? "indicate" : nil]
        return words.compactMap { $0 }.joined(separator: ", ")
    }
}

#endif
