// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEWire

extension GATT {
    /// What a server keeps of a client that it is bonded with, from one link to the next.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 2.5.2.1 and 3.3.3.3.
    public struct KeptClient: Hashable, Sendable {
        /// What the client has switched on, by the handle of the value.
        public var subscriptions: [AttributeHandle: Subscription]
        /// What it says that it can do.
        public var features: ClientFeatures
        /// The Database Hash of what it was served last: 16 octets.
        public var hash: [UInt8]

        /// Puts it together.
        public init(
            subscriptions: [AttributeHandle: Subscription], features: ClientFeatures, hash: [UInt8]
        ) {
            self.subscriptions = subscriptions
            self.features = features
            self.hash = hash
        }
    }
}

extension GATT.Server {
    /// What is to be kept of a bonded client.
    ///
    /// A client that does not know yet what has changed, but can be told, is kept with the hash that it knows.
    ///
    /// - Parameters:
    ///   - before: What was kept of it before.
    ///   - database: What the server offers now.
    /// - Returns: What to keep now.
    public func kept(after before: GATT.KeptClient?, database: GATT.Database) -> GATT.KeptClient {
        let changes = database.valueHandle(of: GATT.CharacteristicType.serviceChanged)
        let isTold = changes.map { subscription($0).contains(.indicate) } ?? false
        let isBehind = awareness != .aware && (isTold || clientFeatures.contains(.robustCaching))
        return GATT.KeptClient(
            subscriptions: subscriptions, features: clientFeatures,
            hash: isBehind ? before?.hash ?? [] : database.hash)
    }

    /// Takes up what was kept of a bonded client, once the link is encrypted with its key.
    ///
    /// What it has done on this link already counts for more. Where other services are offered than it knows, only Service
    /// Changed stays on, which tells it so: all other handles may mean something else.
    ///
    /// - Parameters:
    ///   - kept: What was kept.
    ///   - database: What the server offers now.
    ///   - now: The moment.
    public mutating func restore(_ kept: GATT.KeptClient, database: GATT.Database, at now: HostInstant) {
        if case .closed = state { return }
        clientFeatures.formUnion(kept.features)
        let isSame = kept.hash == database.hash
        let changes = database.valueHandle(of: GATT.CharacteristicType.serviceChanged)
        for attribute in database.attributes {
            guard case .clientConfiguration(let handle, _) = attribute.content, isSame || handle == changes,
                subscriptions[handle] == nil, let subscription = kept.subscriptions[handle]
            else { continue }
            subscriptions[handle] = subscription
            outputs.append(.subscribed(handle, subscription))
        }
        guard !isSame else { return }
        servicesChanged(
            ATT.HandleRange(start: .first, end: .last), isRemoved: false, database: database, at: now)
    }
}
