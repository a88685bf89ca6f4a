// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What happens when; events at the same moment come in the order in which they were put in.
struct Schedule {
    /// Something that happens.
    enum Event {
        /// An advertising event.
        case advertising(Controller, Advertising)
        /// The end of advertising that has a limited time.
        case advertisingTimeout(Controller, Advertising)
        /// The end of scanning that has a limited time.
        case scanEnd(Controller, Scanning)
        /// A connection event, if it is still the link's next.
        case connection(Link, ticket: UInt64)
        /// A look at how long one side of a link has heard nothing.
        case supervision(LinkSide)
        /// The longest that encrypting a link may take.
        case encryption(LinkSide, ticket: UInt64)
        /// Packets to a host have been on their way long enough.
        case arrival(Controller)

        /// Whether it need not happen any more.
        var isStale: Bool {
            switch self {
            case .advertising(_, let advertising), .advertisingTimeout(_, let advertising):
                advertising.set.run !== advertising
            case .scanEnd(let controller, let scanning): controller.state.scanning !== scanning
            case .connection(let link, let ticket): link.ticket != ticket
            case .supervision(let side): side.hasEnded
            case .encryption(let side, let ticket): side.hasEnded || side.encryption.ticket != ticket
            case .arrival(let controller): controller.underway.isEmpty
            }
        }
    }

    private struct Entry {
        let due: HostInstant
        let order: UInt64
        let event: Event

        func isBefore(_ other: Entry) -> Bool { due == other.due ? order < other.order : due < other.due }
    }

    /// A binary heap; the earliest entry is first.
    private var entries: [Entry] = []
    private var order: UInt64 = 0
    /// How many entries there may be before those are taken out that need not happen any more.
    private var room = 1024

    /// How many entries there are.
    var count: Int { entries.count }

    mutating func add(_ event: Event, at due: HostInstant) {
        // A host may begin and end advertising, each time with an end far away, as often as it likes.
        if entries.count >= room {
            entries.removeAll { $0.event.isStale }
            entries.order { $0.isBefore($1) }
            room = max(1024, 2 * entries.count)
        }
        entries.append(Entry(due: due, order: order, event: event))
        order += 1
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// When the next event is due that still has to happen.
    mutating func nextDue() -> HostInstant? {
        while let first = entries.first {
            guard first.event.isStale else { return first.due }
            removeFirst()
        }
        return nil
    }

    /// Takes out the next event that is due.
    mutating func removeNext(upTo limit: HostInstant) -> (due: HostInstant, event: Event)? {
        guard let due = nextDue(), due <= limit else { return nil }
        let event = entries[0].event
        removeFirst()
        return (due, event)
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].isBefore(entries[first]) {
                first = child
            }
            guard first != parent else { return }
            entries.swapAt(first, parent)
            parent = first
        }
    }
}
