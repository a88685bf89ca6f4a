// SPDX-License-Identifier: Apache-2.0

/// Remembers peers' services from one connection to the next.
///
/// Whoever asks holds the memory against the peer's Database Hash before using it, so one that is out of date does no
/// harm. An app that wants it to outlive the program stores `GATT.KnownServices.octets`.
public protocol ServiceCache: Sendable {
    /// What is remembered of a peer.
    ///
    /// - Parameter peer: Who.
    /// - Returns: Its services; `nil` when nothing is remembered.
    func services(of peer: Peer) async -> GATT.KnownServices?

    /// Remembers or forgets a peer.
    ///
    /// - Parameters:
    ///   - services: Its services; `nil` forgets.
    ///   - peer: Who.
    func remember(_ services: GATT.KnownServices?, of peer: Peer) async
}

/// Remembers the services of the peers connected last, as long as the program runs.
public actor MemoryServiceCache: ServiceCache {
    /// How many peers are remembered.
    public static let peerLimit = 64
    /// How many attributes a peer may have to be remembered.
    public static let attributeLimit = 1024

    /// The peer that was remembered last comes last.
    private var peers: [(peer: Peer, services: GATT.KnownServices)] = []

    /// Starts with nothing.
    public init() {}

    /// What is remembered of a peer.
    public func services(of peer: Peer) -> GATT.KnownServices? {
        peers.first { $0.peer == peer }?.services
    }

    /// Remembers a peer in the place of the one that was remembered longest ago, or forgets it.
    public func remember(_ services: GATT.KnownServices?, of peer: Peer) {
        peers.removeAll { $0.peer == peer }
        guard let services, services.attributeCount <= Self.attributeLimit else { return }
        if peers.count >= Self.peerLimit { peers.removeFirst() }
        peers.append((peer, services))
    }
}
