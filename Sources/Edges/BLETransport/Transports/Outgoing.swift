// SPDX-License-Identifier: Apache-2.0

/// What was sent and has not gone yet.
///
/// Two buffers take turns, so that nothing is allocated as long as the one is out by the time that the other is
/// full. In packets it remembers where each ends.
struct Outgoing {
    /// What a buffer may keep of its room once it is empty, in octets.
    private static let keptRoom = 1 << 20

    private var filling: [UInt8] = []
    private var fillingEnds: [Int] = []
    private let isPacketBased: Bool
    /// Whether somebody will see to it that what is here leaves.
    var isScheduled = false
    /// Whether nothing is taken any more; what is here may still leave.
    var isClosed = false

    init(isPacketBased: Bool) { self.isPacketBased = isPacketBased }

    var count: Int { filling.count }

    /// Adds octets.
    ///
    /// - Returns: Whether somebody has to see to it that they leave.
    mutating func add(_ octets: [UInt8]) -> Bool {
        guard !isClosed, !octets.isEmpty else { return false }
        filling += octets
        if isPacketBased { fillingEnds.append(filling.count) }
        guard !isScheduled else { return false }
        isScheduled = true
        return true
    }

    /// Moves everything into an empty buffer.
    mutating func move(into writing: inout Writing) {
        writing.begin()
        swap(&filling, &writing.octets)
        swap(&fillingEnds, &writing.ends)
        filling.removeAll(keepingCapacity: filling.capacity <= Self.keptRoom)
        fillingEnds.removeAll(keepingCapacity: true)
    }

    mutating func drop() {
        isClosed = true
        filling = []
        fillingEnds = []
    }

    /// What is being written.
    struct Writing {
        fileprivate(set) var octets: [UInt8] = []
        fileprivate var ends: [Int] = []
        private var nextEnd = 0
        /// How much of it is out.
        private(set) var position = 0

        var count: Int { octets.count - position }

        /// What the next write is to write: a packet, or everything.
        var next: Range<Int> { position..<(nextEnd < ends.count ? ends[nextEnd] : octets.count) }

        /// Notes that some of ``next`` is out.
        mutating func wrote(_ count: Int) {
            position += count
            while nextEnd < ends.count, ends[nextEnd] <= position { nextEnd += 1 }
        }

        fileprivate mutating func begin() { (position, nextEnd) = (0, 0) }
    }
}
