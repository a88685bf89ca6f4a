// SPDX-License-Identifier: Apache-2.0

/// The pages that have one device in hand over one link, each with the time at which it has said so last.
package struct Viewers: Sendable {
    private static let limit = 32

    private var pages: [String: Int64] = [:]
    /// Whether the last one has left, so that the link is about to end.
    package private(set) var isLeft = false

    /// Makes none.
    package init() {}

    /// How many there are.
    package var count: Int { pages.count }

    /// Handles that a page is there, or still is.
    ///
    /// - Parameters:
    ///   - page: Its name, which it has given itself.
    ///   - now: The time, by a clock that nobody sets, in milliseconds.
    package mutating func look(_ page: String, at now: Int64) {
        pages[page] = now
        isLeft = false
        // Who never ends loading pages anew is counted as one of these.
        while pages.count > Self.limit, let oldest = pages.min(by: { $0.value < $1.value })?.key {
            pages.removeValue(forKey: oldest)
        }
    }

    /// Handles that a page is not there any more.
    ///
    /// - Parameter page: Its name.
    package mutating func leave(_ page: String) {
        pages.removeValue(forKey: page)
        isLeft = pages.isEmpty
    }

    /// Forgets the pages that have said nothing for long.
    ///
    /// - Parameters:
    ///   - lease: How long they count without a word, in seconds.
    ///   - now: The time.
    package mutating func forget(after lease: Int64, at now: Int64) {
        pages = pages.filter { now - $0.value <= lease * 1000 }
    }
}
