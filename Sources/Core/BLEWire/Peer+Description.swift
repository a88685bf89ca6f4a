// SPDX-License-Identifier: Apache-2.0

// String costs a chip its Unicode tables, so text forms exist on hosts only.
#if !hasFeature(Embedded) || arch(wasm32)

extension Peer: CustomStringConvertible, LosslessStringConvertible {
    /// The address and its kind, as in `C0:FF:EE:00:00:01/R`, or the identifier.
    ///
    /// After the slash stand `P` for a public address, `R` for a random one, and `A` for one that was not given.
    public var description: String {
        guard let address else { return identifier?.description ?? "" }
        switch address.kind {
        case .public: return "\(address)/P"
        case .random: return "\(address)/R"
        case .anonymous: return "\(address)/A"
        }
    }

    /// Reads what ``description`` writes, and an address without its kind, which is then the likely one
    /// (``BluetoothAddress/likelyKind(of:)``).
    ///
    /// - Parameter description: The text; letters of either case.
    public init?(_ description: String) {
        guard let slash = description.lastIndex(of: "/") else {
            if let address = BluetoothAddress(description, kind: .public) {
                self.init(
                    BluetoothAddress(address.value, kind: BluetoothAddress.likelyKind(of: address.value)))
            } else if let identifier = BluetoothUUID(description) {
                self.init(identifier: identifier)
            } else {
                return nil
            }
            return
        }
        let kind: BluetoothAddress.Kind
        switch description[description.index(after: slash)...] {
        case "P", "p": kind = .public
        case "R", "r": kind = .random
        case "A", "a": kind = .anonymous
        default: return nil
        }
        guard let address = BluetoothAddress(description[..<slash], kind: kind) else { return nil }
        self.init(address)
    }
}

#endif
