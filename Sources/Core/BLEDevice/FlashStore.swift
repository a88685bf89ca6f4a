// SPDX-License-Identifier: Apache-2.0

/// Two pages of flash for what a device keeps.
public protocol FlashMemory: ~Copyable {
    /// Octets of a page, which is erased as a whole: to 0xFF.
    var pageSize: Int { get }

    /// Octets that are written at once, and only once after the page was erased: 1 to 16, a divisor of the page's size.
    var unit: Int { get }

    /// Reads.
    ///
    /// - Parameters:
    ///   - page: 0 or 1.
    ///   - offset: Where in the page.
    /// - Returns: The octet there.
    func read(_ page: Int, at offset: Int) -> UInt8

    /// Writes whole units, the first one first.
    ///
    /// - Parameters:
    ///   - octets: What to write: a multiple of ``unit``.
    ///   - page: 0 or 1.
    ///   - offset: Where in the page: a multiple of ``unit``.
    mutating func write(_ octets: [UInt8], to page: Int, at offset: Int)

    /// Erases a page.
    ///
    /// - Parameter page: 0 or 1.
    mutating func erase(_ page: Int)
}

/// Values of a device that survive the loss of power, at whatever moment it comes: each is as before a change or as after it.
///
/// Values are appended to a page until it is full; then the last of each is copied to the other page, whose head is
/// written last. Octets that have changed by themselves are found, and the value before them counts.
///
/// | offset | size | field | notes |
/// |--------|------|-------|-------|
/// | 0 | 4 | "LFS1" | the head of a page |
/// | 4 | 4 | number | how often pages were erased; the page with the higher one counts |
/// | 8 | 4 | CRC-32 of both |  |
///
/// | offset | size | field | notes |
/// |--------|------|-------|-------|
/// | 0 | 1 | key | a record; each begins at a multiple of the unit |
/// | 1 | 2 | length | 0xFFFF of a value that was taken away |
/// | 3 | 1 | check | of the three octets before it |
/// | 4 | 4 | CRC-32 | of the four octets before it and the value |
/// | 8 | n | value |  |
public struct FlashStore<Memory: FlashMemory & ~Copyable>: ~Copyable {
    private var memory: Memory
    private var page = 0
    private var number: UInt32 = 0
    /// Where the next record goes.
    private var end = 0

    /// Opens what is there; pages that are no store count as empty.
    ///
    /// - Parameter memory: The flash.
    public init(_ memory: consuming Memory) {
        self.memory = memory
        let numbers = (head(of: 0), head(of: 1))
        switch numbers {
        case (let first?, let second?): (page, number) = second > first ? (1, second) : (0, first)
        case (let first?, nil): (page, number) = (0, first)
        case (nil, let second?): (page, number) = (1, second)
        case (nil, nil): return
        }
        // After the last octet that was ever written, and after all that a record would have had that was not written to its end.
        end = pageSize
        while end > headSize, isErased(from: end - unit) { end -= unit }
        var offset = headSize
        while let record = record(at: offset) {
            if record.isWhole { end = max(end, record.end) }
            offset = record.end
        }
    }

    /// How often pages were erased: flash bears some ten thousand times.
    public var erasures: Int { Int(number) }

    /// The longest value, in octets: all of them have to fit into a page.
    public var longestValue: Int { min(pageSize / 2, 0xFFFE) }

    /// A value.
    ///
    /// - Parameter key: Its key.
    /// - Returns: The value; `nil` when there is none.
    public func value(of key: UInt8) -> [UInt8]? {
        number > 0 ? last(of: key) : nil
    }

    /// Keeps a value, or takes one away; nothing is written when it is there already.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` takes it away.
    ///   - key: Its key.
    /// - Returns: Whether it is kept; there is no room for it otherwise, and nothing has changed.
    public mutating func set(_ value: [UInt8]?, of key: UInt8) -> Bool {
        if let value, value.count > longestValue { return false }
        guard self.value(of: key) != value else { return true }
        let octets = Self.record(key, value, unit: unit)
        if number > 0, end + octets.count <= pageSize {
            memory.write(octets, to: page, at: end)
            end += octets.count
            return true
        }
        return move(with: key, value)
    }

    // MARK: Pages

    private var pageSize: Int { memory.pageSize }
    private var unit: Int { memory.unit }
    private var headSize: Int { Self.padded(12, unit) }

    private static func padded(_ count: Int, _ unit: Int) -> Int { (count + unit - 1) / unit * unit }

    private func isErased(from offset: Int) -> Bool {
        for place in offset..<(offset + unit) where memory.read(page, at: place) != 0xFF { return false }
        return true
    }

    private func octets(_ page: Int, _ offset: Int, _ count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(count)
        for place in offset..<(offset + count) { octets.append(memory.read(page, at: place)) }
        return octets
    }

    private static var mark: [UInt8] { [0x4C, 0x46, 0x53, 0x31] }

    private func head(of page: Int) -> UInt32? {
        let head = octets(page, 0, 12)
        guard Array(head[..<4]) == Self.mark, Self.number(head, at: 8) == Self.checksum(head[..<8]) else {
            return nil
        }
        let number = Self.number(head, at: 4)
        return number > 0 ? number : nil
    }

    /// Copies what counts to the other page, with one change.
    private mutating func move(with key: UInt8, _ value: [UInt8]?) -> Bool {
        let target = number > 0 ? 1 - page : 0
        var records: [UInt8] = []
        for other in UInt8.min...UInt8.max {
            guard let kept = other == key ? value : self.value(of: other) else { continue }
            records.append(contentsOf: Self.record(other, kept, unit: unit))
        }
        guard headSize + records.count <= pageSize else { return false }
        memory.erase(target)
        if !records.isEmpty { memory.write(records, to: target, at: headSize) }
        var head = Self.mark
        Self.append(number + 1, to: &head)
        Self.append(Self.checksum(head[...]), to: &head)
        head.append(contentsOf: [UInt8](repeating: 0xFF, count: headSize - head.count))
        memory.write(head, to: target, at: 0)
        (page, number, end) = (target, number + 1, headSize + records.count)
        return true
    }

    // MARK: Records

    /// A record, or a unit that begins none.
    private struct Record {
        var key: UInt8 = 0
        var length = 0
        /// Where the next one begins.
        var end: Int
        /// Whether it has a head that is right.
        var isWhole = false
    }

    /// What begins at an offset; `nil` at the end of the page.
    private func record(at offset: Int) -> Record? {
        guard offset + 8 <= pageSize else { return nil }
        let head = octets(page, offset, 4)
        let length = Int(head[1]) | Int(head[2]) << 8
        let end = offset + Self.padded(8 + (length == 0xFFFF ? 0 : length), unit)
        // Power was lost here, or the octets have changed: what comes next begins at some later unit.
        guard head[3] == Self.check(head), end <= pageSize else { return Record(end: offset + unit) }
        return Record(key: head[0], length: length, end: end, isWhole: true)
    }

    /// The last whole value of a key.
    private func last(of key: UInt8) -> [UInt8]? {
        var found: [UInt8]?
        var offset = headSize
        while offset < end, let record = record(at: offset) {
            if record.isWhole, record.key == key {
                let isGone = record.length == 0xFFFF
                let octets = octets(page, offset, 8 + (isGone ? 0 : record.length))
                if Self.number(octets, at: 4) == Self.checksum(octets[..<4] + octets[8...]) {
                    found = isGone ? nil : Array(octets[8...])
                }
            }
            offset = record.end
        }
        return found
    }

    private static func record(_ key: UInt8, _ value: [UInt8]?, unit: Int) -> [UInt8] {
        let length = value?.count ?? 0xFFFF
        var record = [key, UInt8(length & 0xFF), UInt8(length >> 8)]
        record.append(check(record))
        append(checksum(record[...] + (value ?? [])), to: &record)
        record.append(contentsOf: value ?? [])
        record.append(contentsOf: [UInt8](repeating: 0, count: padded(record.count, unit) - record.count))
        return record
    }

    /// Octets that are erased have no such check.
    private static func check(_ head: [UInt8]) -> UInt8 {
        UInt8(truncatingIfNeeded: ~checksum(head[..<3]) >> 24)
    }

    private static func number(_ octets: [UInt8], at index: Int) -> UInt32 {
        var number: UInt32 = 0
        for place in (0..<4).reversed() { number = number << 8 | UInt32(octets[index + place]) }
        return number
    }

    private static func append(_ number: UInt32, to octets: inout [UInt8]) {
        for place in 0..<4 { octets.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(place)))) }
    }

    /// CRC-32 as Ethernet has it, without a table.
    private static func checksum(_ octets: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for octet in octets {
            sum ^= UInt32(octet)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return ~sum
    }
}
