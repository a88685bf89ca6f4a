// SPDX-License-Identifier: Apache-2.0

public import Companion

extension Hub {
    /// The devices that it hears or knows: at once, and again whenever something about one of them has changed.
    ///
    /// Whoever reads slowly gets the newest list and holds up nobody. It ends when the hub ends or the task is cancelled.
    public nonisolated var deviceUpdates: DeviceUpdates { DeviceUpdates(hub: self) }
}

/// The list of a hub's devices, over time.
public struct DeviceUpdates: AsyncSequence, Sendable {
    fileprivate let hub: Hub

    /// Begins to follow the list.
    public func makeAsyncIterator() -> Iterator { Iterator(hub: hub, changes: hub.feed.subscribe()) }

    /// Follows the list.
    public struct Iterator: AsyncIteratorProtocol {
        private static let names: Set = ["\(DeviceChanged.name)", "\(DeviceGone.name)", "\(EventsLost.name)"]

        fileprivate let hub: Hub
        fileprivate let changes: EventFeed.Subscription
        private var isFirst = true

        fileprivate init(hub: Hub, changes: EventFeed.Subscription) {
            self.hub = hub
            self.changes = changes
        }

        /// Waits for the next list.
        ///
        /// - Returns: All devices, in the order in which they were heard first; `nil` when the hub has ended or the task is
        ///   cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [HubDevice]? {
            if isFirst {
                isFirst = false
                return Task.isCancelled ? nil : hub.devices
            }
            while let items = await changes.next() {
                if items.contains(where: { Self.names.contains($0.name) }) { return hub.devices }
            }
            return nil
        }
    }
}
