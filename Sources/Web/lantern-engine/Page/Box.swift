// SPDX-License-Identifier: Apache-2.0

/// Octets at a place that a page knows: it puts its own there, or reads ours.
struct Box {
    private var octets = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    /// Where they are.
    var place: UnsafeMutablePointer<UInt8>? { unsafe octets.baseAddress }

    /// What lies there.
    var contents: [UInt8] { unsafe Array(octets) }

    /// Makes room for so many octets, all zero; what was there is gone.
    mutating func resize(to count: Int) {
        unsafe octets.deallocate()
        unsafe octets = .allocate(capacity: count)
        unsafe octets.initialize(repeating: 0)
    }

    /// Puts octets there.
    ///
    /// - Returns: How many there are.
    mutating func fill(with some: [UInt8]) -> Int32 {
        resize(to: some.count)
        for index in some.indices { unsafe octets[index] = some[index] }
        return Int32(some.count)
    }

    /// Forgets what lies there.
    mutating func empty() { resize(to: 0) }
}
