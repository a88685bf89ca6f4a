// SPDX-License-Identifier: Apache-2.0

import Companion

/// What can be fuzzed.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// What it is called on the command line, and its corpus.
    public let name: String
    private let body: @Sendable ([UInt8]) throws(Broken) -> Void

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - name: What it is called; Scripts/fuzz finds it in the source.
    ///   - body: Tries one input.
    init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws(Broken) -> Void) {
        self.name = name
        self.body = body
    }

    /// All targets: those of Core, then those of the products.
    public static let all =
        [
            FuzzTarget("h4", fuzzH4),
            FuzzTarget("hci", fuzzHost),
            FuzzTarget("l2cap", fuzzL2CAP),
            FuzzTarget("att_server", fuzzServer),
            FuzzTarget("gatt_client", fuzzClient),
            FuzzTarget("smp", fuzzPairing),
            FuzzTarget("ad", fuzzAdvertisingData),
        ] + Products.all.compactMap { ($0 as? any FuzzedProduct)?.fuzzTarget }

    /// Tries one input: it must neither trap, nor hang, nor break a promise.
    ///
    /// - Parameter input: The input.
    /// - Throws: ``Broken`` when a promise does not hold.
    public func run(_ input: [UInt8]) throws(Broken) { try body(input) }

    /// The name.
    public var description: String { name }
}

/// A product that is fuzzed.
protocol FuzzedProduct: Product {
    /// What fuzzes it.
    var fuzzTarget: FuzzTarget { get }
}

/// A promise that did not hold.
public struct Broken: Error {
    /// Which one.
    public let promise: String
}

/// Throws when a promise does not hold.
func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(promise: promise()) }
}

/// An input, read from front to back; past its end all is zero.
struct Script {
    private let octets: [UInt8]
    private(set) var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { position >= octets.count }

    /// The next octet.
    mutating func byte() -> UInt8 {
        guard position < octets.count else { return 0 }
        defer { position += 1 }
        return octets[position]
    }

    /// The next two octets.
    mutating func word() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// As many octets as the next one says, or as are left.
    mutating func counted() -> [UInt8] { next(Int(byte())) }

    /// Octets, as far as there are any.
    mutating func next(_ count: Int) -> [UInt8] {
        let end = min(position + count, octets.count)
        defer { position = end }
        return Array(octets[position..<end])
    }

    /// All octets that are left.
    mutating func rest() -> [UInt8] { next(octets.count - position) }

    /// Octets of a length that two octets say, repeating few: long values need no long inputs.
    mutating func long() -> [UInt8] {
        let count = Int(word()) % 600
        let pattern = counted()
        return (0..<count).map {
            pattern.isEmpty ? UInt8(truncatingIfNeeded: $0) : pattern[$0 % pattern.count]
        }
    }
}
