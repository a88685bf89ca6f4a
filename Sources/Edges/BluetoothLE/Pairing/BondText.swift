// SPDX-License-Identifier: Apache-2.0

/// Bonds as they are kept: a line each, in hexadecimal, so that a person can see whose they are.
///
/// ```
/// lantern-bonds 1
/// own resolving=KEY
/// bond address=c10000000001/random authenticated=1 secure-connections=1 size=16 central=KEY:RAND:EDIV …
/// ```
///
/// It is written and read as octets that are overwritten afterwards, never as text that lives on somewhere.
package struct BondText {
    /// The first line, which names the form.
    private static let title = Array("lantern-bonds 1".utf8)

    /// What is to be kept; overwrite it with ``wipe()`` when that is done.
    package private(set) var octets: [UInt8] = []

    /// What a file holds.
    package struct Content {
        /// The bonds, the oldest first.
        package var bonds: [KeptBond] = []
        /// What the adapter's own changing addresses are made with; `nil` until they are wanted.
        package var ownKey: SMP.Secret?

        /// Holds nothing.
        package init() {}
    }

    /// Writes what a file is to hold.
    package init(_ content: Content) {
        let bonds = content.bonds
        // Room for all, so that no copy stays behind where it had to grow.
        let subscriptions = bonds.reduce(0) { $0 + ($1.client?.subscriptions.count ?? 0) }
        octets.reserveCapacity(64 + bonds.count * 512 + subscriptions * 16)
        octets += Self.title
        octets.append(UInt8(ascii: "\n"))
        if let key = content.ownKey {
            text("own resolving=")
            hexadecimal(key.value128, digits: 32)
            text("\n")
        }
        for bond in bonds { write(bond) }
    }

    private mutating func write(_ kept: KeptBond) {
        let security = kept.bond.security
        text("bond address=")
        hexadecimal(UInt128(kept.identity.value), digits: 12)
        text(kept.identity.kind == .public ? "/public" : "/random")
        text(security.level >= .authenticated ? " authenticated=1" : " authenticated=0")
        text(security.isSecureConnections ? " secure-connections=1 size=" : " secure-connections=0 size=")
        hexadecimal(UInt128(security.keySize), digits: 2)
        write(" central=", kept.bond.keyAsCentral)
        write(" peripheral=", kept.bond.keyAsPeripheral)
        if let key = kept.bond.identity?.resolvingKey {
            text(" resolving=")
            hexadecimal(key.value128, digits: 32)
        }
        if let client = kept.client {
            text(" features=")
            hexadecimal(UInt128(client.features.rawValue), digits: 2)
            text(" hash=")
            for octet in client.hash { hexadecimal(UInt128(octet), digits: 2) }
            for (handle, subscription) in client.subscriptions.sorted(by: { $0.key < $1.key }) {
                text(" subscription=")
                hexadecimal(UInt128(handle.rawValue), digits: 4)
                text(":")
                hexadecimal(UInt128(subscription.rawValue), digits: 4)
            }
        }
        text("\n")
    }

    private mutating func write(_ name: StaticString, _ key: SMP.LongTermKey?) {
        guard let key else { return }
        text(name)
        hexadecimal(key.key.value128, digits: 32)
        text(":")
        hexadecimal(UInt128(key.rand), digits: 16)
        text(":")
        hexadecimal(UInt128(key.ediv), digits: 4)
    }

    private mutating func text(_ text: StaticString) {
        text.withUTF8Buffer { octets.append(contentsOf: $0) }
    }

    private mutating func hexadecimal(_ value: UInt128, digits: Int) {
        for place in stride(from: (digits - 1) * 4, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt128(place)) & 0xF
            octets.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }

    /// Overwrites it.
    package mutating func wipe() { BondText.wipe(&octets) }

    /// Overwrites octets, by a function that the compiler may not look into.
    @inline(never)
    @_optimize(none)
    package static func wipe(_ octets: inout [UInt8]) {
        for index in octets.indices { octets[index] = 0 }
    }

    // MARK: Reading

    /// A line that makes no sense, by number.
    package struct Malformed: Error {
        /// Its number, from 1.
        package let line: Int
    }

    /// Reads a file.
    ///
    /// - Parameter octets: The whole file.
    /// - Returns: What it holds.
    /// - Throws: ``Malformed``, which names the line that makes no sense.
    package static func content(of octets: [UInt8]) throws(Malformed) -> Content {
        let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.first == title[...] else { throw Malformed(line: 1) }
        var content = Content()
        let own = Array("own resolving=".utf8)
        for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            if line.starts(with: own), content.ownKey == nil,
                let key = Parts.number(line.dropFirst(own.count), digits: 32)
            {
                content.ownKey = SMP.Secret(key)
            } else if let bond = bond(line) {
                content.bonds.keep(bond)
            } else {
                throw Malformed(line: number + 1)
            }
        }
        return content
    }

    private static func bond(_ line: ArraySlice<UInt8>) -> KeptBond? {
        var fields = line.split(separator: UInt8(ascii: " "))[...]
        guard fields.popFirst() == Array("bond".utf8)[...] else { return nil }
        var parts = Parts()
        for field in fields {
            guard let sign = field.firstIndex(of: UInt8(ascii: "=")),
                parts.take(field[..<sign], field[(sign + 1)...])
            else { return nil }
        }
        return parts.bond
    }

    /// What a line has said so far.
    private struct Parts {
        var address: BluetoothAddress?
        var isAuthenticated: Bool?
        var isSecureConnections: Bool?
        var keySize: UInt8?
        var central: SMP.LongTermKey?
        var peripheral: SMP.LongTermKey?
        var resolvingKey: SMP.Secret?
        var features: GATT.ClientFeatures?
        var hash: [UInt8] = []
        var subscriptions: [AttributeHandle: GATT.Subscription] = [:]

        /// Takes a field.
        ///
        /// - Returns: Whether it makes sense.
        mutating func take(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
            let numbers = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            switch String(decoding: name, as: UTF8.self) {
            case "address":
                address = Self.address(value)
                return address != nil
            case "authenticated":
                isAuthenticated = Self.number(value, digits: 1).map { $0 == 1 }
                return isAuthenticated != nil
            case "secure-connections":
                isSecureConnections = Self.number(value, digits: 1).map { $0 == 1 }
                return isSecureConnections != nil
            case "size":
                keySize = Self.number(value, digits: 2).map { UInt8(truncatingIfNeeded: $0) }
                return keySize.map { SMP.keySizes.contains($0) } ?? false
            case "central":
                central = Self.key(numbers)
                return central != nil
            case "peripheral":
                peripheral = Self.key(numbers)
                return peripheral != nil
            case "resolving":
                resolvingKey = Self.number(value, digits: 32).map { SMP.Secret($0) }
                return resolvingKey != nil
            case "features":
                features = Self.number(value, digits: 2).map {
                    GATT.ClientFeatures(rawValue: UInt8(truncatingIfNeeded: $0))
                }
                return features != nil
            case "hash":
                hash = Self.octets(value) ?? []
                return hash.count == 16 || value.isEmpty
            case "subscription":
                guard numbers.count == 2, let handle = Self.number(numbers[0], digits: 4),
                    let kinds = Self.number(numbers[1], digits: 4)
                else { return false }
                subscriptions[AttributeHandle(rawValue: UInt16(truncatingIfNeeded: handle))] =
                    GATT.Subscription(rawValue: UInt16(truncatingIfNeeded: kinds))
                return true
            default: return false
            }
        }

        var bond: KeptBond? {
            guard let address, let isAuthenticated, let isSecureConnections, let keySize,
                central != nil || peripheral != nil
            else { return nil }
            let security = SMP.Security(
                isAuthenticated: isAuthenticated, keySize: keySize, isSecureConnections: isSecureConnections,
                isBonded: true)
            let bond = SMP.Bond(
                security: security, keyAsCentral: central, keyAsPeripheral: peripheral,
                identity: SMP.Identity(resolvingKey: resolvingKey, address: address))
            let client = features.map {
                GATT.KeptClient(subscriptions: subscriptions, features: $0, hash: hash)
            }
            return KeptBond(bond, client: client)
        }

        private static func address(_ value: ArraySlice<UInt8>) -> BluetoothAddress? {
            guard let number = number(value.prefix(12), digits: 12) else { return nil }
            let value48 = UInt64(truncatingIfNeeded: number)
            switch String(decoding: value.dropFirst(12), as: UTF8.self) {
            case "/public": return BluetoothAddress(value48, kind: .public)
            case "/random": return BluetoothAddress(value48, kind: .random)
            default: return nil
            }
        }

        private static func key(_ numbers: [ArraySlice<UInt8>]) -> SMP.LongTermKey? {
            guard numbers.count == 3, let key = number(numbers[0], digits: 32),
                let rand = number(numbers[1], digits: 16), let ediv = number(numbers[2], digits: 4)
            else { return nil }
            return SMP.LongTermKey(
                key: SMP.Secret(key), rand: UInt64(truncatingIfNeeded: rand),
                ediv: UInt16(truncatingIfNeeded: ediv))
        }

        private static func octets(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
            guard digits.count == 32, let value = number(digits, digits: 32) else { return nil }
            return (0..<16).reversed().map { UInt8(truncatingIfNeeded: value >> UInt128($0 * 8)) }
        }

        static func number(_ text: ArraySlice<UInt8>, digits: Int) -> UInt128? {
            guard text.count == digits else { return nil }
            var value: UInt128 = 0
            for octet in text {
                switch octet {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt128(octet & 0xF)
                case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt128(octet & 0xF + 9)
                default: return nil
                }
            }
            return value
        }
    }
}
