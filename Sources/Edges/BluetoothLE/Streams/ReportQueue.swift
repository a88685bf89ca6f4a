// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Which reports say the same thing again: those of one device in one kind of PDU.
@usableFromInline
package struct ReportKey: Hashable, Sendable {
    let peer: Peer
    let isScanResponse: Bool

    package init(_ peer: Peer, isScanResponse: Bool) {
        self.peer = peer
        self.isScanResponse = isScanResponse
    }
}

/// Reports that wait, at most one of a kind: a newer one takes the place of the older in the queue.
///
/// Of more than ``limit`` kinds the one that was heard longest ago goes.
@usableFromInline
package struct ReportQueue<Element> {
    /// How many reports may wait.
    package static var limit: Int { 16_384 }

    private struct Waiting {
        var element: Element
        /// Its place in the queue.
        let turn: UInt64
    }

    private var reports = RecencyDictionary<ReportKey, Waiting>(limit: limit)
    /// Places whose report may have gone: then nobody has their turn.
    private var places = FIFO<(key: ReportKey, turn: UInt64)>()
    private var lastTurn: UInt64 = 0

    @usableFromInline
    init() {}

    package var count: Int { reports.count }

    @usableFromInline var isEmpty: Bool { reports.count == 0 }

    /// Puts a report in.
    ///
    /// - Returns: How many reports went for it.
    mutating func append(_ element: Element, _ key: ReportKey) -> Int {
        let isFull = reports.count >= Self.limit
        let turn = reports.use(key, default: Waiting(element: element, turn: lastTurn + 1)) { waiting in
            waiting.element = element
            return waiting.turn
        }
        // An older report waits in its place already.
        guard turn > lastTurn else { return 1 }
        lastTurn = turn
        if places.count >= 2 * Self.limit { removeEmptyPlaces() }
        places.append((key, lastTurn))
        return isFull ? 1 : 0
    }

    /// Takes the report out that waits longest.
    @usableFromInline
    mutating func popFirst() -> Element? {
        while let place = places.popFirst() {
            guard let waiting = reports[place.key], waiting.turn == place.turn else { continue }
            reports.removeValue(forKey: place.key)
            return waiting.element
        }
        return nil
    }

    private mutating func removeEmptyPlaces() {
        for place in places.removeAll() where reports[place.key]?.turn == place.turn { places.append(place) }
    }
}
