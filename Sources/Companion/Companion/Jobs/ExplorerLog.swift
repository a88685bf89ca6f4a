// SPDX-License-Identifier: Apache-2.0

package import BLEATT
import BLEWire

/// The values of a device that a page explores, as far as they are kept, and those that are still to be told.
package struct ExplorerLog: Sendable {
    /// How much there may be of what.
    package struct Limits: Sendable {
        /// Values that are kept.
        package var values = 10_000
        /// Octets of these.
        package var octets = 1 << 20
        /// Values that are told at once.
        package var told = 20
        /// Octets of these.
        package var toldOctets = 8192

        /// Makes the usual limits.
        package init() {}
    }

    private let limits: Limits
    /// What is kept, the oldest first; the first ones are gone already.
    private var kept: [ExplorerValue] = []
    private var gone = 0
    private var octets = 0
    /// Values since it was begun, and how many there were of each attribute.
    package private(set) var total = 0
    private var counts: [UInt16: Int] = [:]
    /// What was not told yet, the oldest first, and how much of that is not here any more.
    private var untold: [ExplorerValue] = []
    private var skipped = 0

    /// Makes an empty log.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Values that are kept.
    package var count: Int { kept.count - gone }

    /// Values that were there and are not kept any more.
    package var dropped: Int { total - count }

    /// Whether something is to be told.
    package var hasNews: Bool { !untold.isEmpty }

    /// Values of one attribute since it was begun.
    package func count(of handle: UInt16) -> Int { counts[handle] ?? 0 }

    /// Values of one attribute, or of all, since it was begun.
    package func total(of handle: Int?) -> Int {
        handle.map { UInt16(exactly: $0).map { count(of: $0) } ?? 0 } ?? total
    }

    /// Takes a value.
    ///
    /// - Parameters:
    ///   - attribute: Whose it is.
    ///   - kind: How it came, or went.
    ///   - octets: The value, or its first part; `nil` when there is none.
    ///   - incomplete: Why there may be more than was read, as part of a sentence.
    ///   - error: Why it was refused, in words.
    ///   - code: The same, as the device has it.
    ///   - now: The moment.
    /// - Returns: The value with its number.
    @discardableResult
    package mutating func append(
        _ attribute: AttributeJSON, _ kind: ExplorerValue.Kind, _ octets: [UInt8]?, incomplete: String? = nil,
        error: String? = nil, code: ATT.ErrorCode? = nil, at now: Timestamp
    ) -> ExplorerValue {
        total += 1
        counts[attribute.handle.rawValue, default: 0] += 1
        let value = ExplorerValue(
            number: total, count: counts[attribute.handle.rawValue] ?? 0, time: now, attribute, kind,
            octets: octets, incomplete: incomplete, error: error, errorCode: code)
        kept.append(value)
        self.octets += octets?.count ?? 0
        while count > limits.values || (self.octets > limits.octets && count > 1) {
            self.octets -= kept[gone].octets?.count ?? 0
            gone += 1
        }
        // Not one by one: that would move all of them each time.
        if gone > 1024, gone > kept.count / 8 {
            kept.removeFirst(gone)
            gone = 0
        }
        untold.append(value)
        if untold.count > 4 * limits.told { thin() }
        return value
    }

    /// Takes out what is to be told.
    ///
    /// - Returns: The newest values, among them the newest of each attribute, the oldest first; how many are left out.
    package mutating func takeNews() -> (values: [ExplorerValue], leftOut: Int) {
        thin()
        defer { (untold, skipped) = ([], 0) }
        return (untold, skipped)
    }

    /// Keeps of what is to be told as much as is told at once.
    private mutating func thin() {
        var newest: [UInt16: Int] = [:]
        for value in untold { newest[value.attribute.handle.rawValue] = value.number }
        let (firsts, others) = (
            untold.filter { newest[$0.attribute.handle.rawValue] == $0.number },
            untold.filter { newest[$0.attribute.handle.rawValue] != $0.number }
        )
        var taken: [ExplorerValue] = []
        var room = limits.toldOctets
        for value in firsts.reversed() + others.reversed() {
            let size = value.octets?.count ?? 0
            guard taken.count < limits.told, size <= room || taken.isEmpty else { break }
            taken.append(value)
            room -= size
        }
        skipped += untold.count - taken.count
        untold = taken.ordered { $0.number < $1.number }
    }

    /// What is kept.
    ///
    /// - Parameters:
    ///   - handle: Of which attribute; `nil` for all.
    ///   - number: Only values before this one; `nil` for all.
    ///   - limit: How many at most; the newest are taken.
    /// - Returns: The values, the newest first.
    package func values(of handle: Int?, before number: Int?, limit: Int) -> [ExplorerValue] {
        var found: [ExplorerValue] = []
        for value in kept[gone...].reversed() {
            guard found.count < limit else { break }
            if let number, value.number >= number { continue }
            if let handle, Int(value.attribute.handle.rawValue) != handle { continue }
            found.append(value)
        }
        return found
    }
}
