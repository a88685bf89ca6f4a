// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import ProductRegistry

/// What can be fuzzed.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// What it is called on the command line, and its corpus.
    public let name: String
    private let body: @Sendable ([UInt8], FuzzTrace) throws(Broken) -> Void

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - name: What it is called; Scripts/fuzz finds it in the source.
    ///   - body: Tries one input.
    package init(_ name: String, _ body: @escaping @Sendable ([UInt8], FuzzTrace) throws(Broken) -> Void) {
        self.name = name
        self.body = body
    }

    /// Tries one input: it must neither trap, nor hang, nor break a promise.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - trace: Takes what comes of it.
    /// - Throws: ``Broken`` when a promise does not hold.
    public func run(_ input: [UInt8], _ trace: FuzzTrace = FuzzTrace()) throws(Broken) {
        try body(input, trace)
    }

    /// The name.
    public var description: String { name }
}

/// What came of an input, so that two builds can be held against each other: what was sent, told and written again.
public final class FuzzTrace {
    /// All of it, in order; each part has its length before it.
    public private(set) var octets: [UInt8] = []

    /// Starts with nothing.
    public init() {}

    package func add(_ part: some Collection<UInt8>) {
        octets.append(UInt8(truncatingIfNeeded: part.count))
        octets.append(UInt8(truncatingIfNeeded: part.count >> 8))
        octets.append(contentsOf: part)
    }

    package func add(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: 64, by: 8) {
            octets.append(UInt8(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) >> UInt64(shift)))
        }
    }

    package func add(_ moment: HostInstant?) { add(moment.map { $0.microseconds } ?? .max) }
}

/// A product that is fuzzed.
package protocol FuzzedProduct: Product {
    /// What fuzzes it.
    var fuzzTarget: FuzzTarget { get }
}

/// A promise that did not hold.
public struct Broken: Error {
    /// Which one.
    public let promise: String

    package init(promise: String) { self.promise = promise }
}

/// Throws when a promise does not hold.
package func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(promise: promise()) }
}

/// An input, read from front to back; past its end all is zero.
package struct Script {
    private let octets: [UInt8]
    package private(set) var position = 0

    package init(_ octets: [UInt8]) { self.octets = octets }

    package var isAtEnd: Bool { position >= octets.count }

    /// The next octet.
    package mutating func byte() -> UInt8 {
        guard position < octets.count else { return 0 }
        defer { position += 1 }
        return octets[position]
    }

    /// The next two octets.
    package mutating func word() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// As many octets as the next one says, or as are left.
    package mutating func counted() -> [UInt8] { next(Int(byte())) }

    /// Octets, as far as there are any.
    package mutating func next(_ count: Int) -> [UInt8] {
        let end = min(position + count, octets.count)
        defer { position = end }
        return Array(octets[position..<end])
    }

    /// All octets that are left.
    package mutating func rest() -> [UInt8] { next(octets.count - position) }

    /// Octets of a length that two octets say, repeating few: long values need no long inputs.
    package mutating func long() -> [UInt8] {
        let count = Int(word()) % 600
        let pattern = counted()
        return (0..<count).map {
            pattern.isEmpty ? UInt8(truncatingIfNeeded: $0) : pattern[$0 % pattern.count]
        }
    }
}
