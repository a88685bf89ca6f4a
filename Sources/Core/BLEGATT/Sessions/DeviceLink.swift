// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Finds, connects, checks, keeps and reconnects one device, for a client session that embeds it.
///
/// ```
///            ┌────────────── rejected ──────────────┐
///  down ─► scanning ─► connecting ─► discovering ─► preparing ─► connected
///            ▲              └────────────┴──────────────┴───────────┤
///            └──── waiting (1, 2, 4 … 30 s) ◄──── leaving ◄── failed or lost
/// ```
///
/// When the device's services change, a link that is being prepared or connected goes back to discovering. No state
/// waits for ever: opening, finding out and preparing, and closing have each their time.
/// A radio that goes off leads to `down` from everywhere, and ``close(at:)`` to the end. A device that
/// advertises one of the services is connected at once; one that only has a fitting name after
/// ``nameDelaySeconds`` without such a device, the strongest first. What is missing something is let go and not
/// tried again for ``rejectionSeconds``.
///
/// It has the shape of a ``ClientSession``: the session passes its inputs on and drains it after each one.
public struct DeviceLink: ~Copyable, Sendable {
    /// How long devices that advertise a service have precedence over others, in seconds.
    public static let nameDelaySeconds: UInt64 = 3
    /// How long the name of a device that advertises a service may take, where it tells products apart, in seconds.
    public static let responseDelaySeconds: UInt64 = 1
    /// How long a link may take to open, in seconds.
    public static let connectTimeoutSeconds: UInt64 = 10
    /// How long a device may take to say what it has and to be set up, in seconds.
    public static let setUpTimeoutSeconds: UInt64 = 180
    /// How long a link may take to be gone that this side closes, in seconds: longer than any supervision timeout.
    public static let leaveTimeoutSeconds: UInt64 = 40
    /// How long a device that lacked something is left alone, in seconds.
    public static let rejectionSeconds: UInt64 = 60
    /// How long a link must have lasted for waiting times to start from 1 s again, in seconds.
    public static let settledSeconds: UInt64 = 30
    /// How many devices that lacked something are remembered.
    static let maximumRejections = 32

    private enum Phase {
        case down(RadioState?)
        case scanning(since: HostInstant)
        case connecting(Peer, until: HostInstant)
        case discovering(Peer, until: HostInstant)
        case preparing(Peer, until: HostInstant)
        case connected(Peer, since: HostInstant)
        case leaving(Peer, Departure, until: HostInstant)
        case waiting(until: HostInstant)
        case finished
    }

    /// What follows when the link is closed that this side is closing.
    private enum Departure {
        case retry(Reason)
        case reject([BluetoothUUID])
        case finish
    }

    private let configuration: Configuration
    private var phase = Phase.down(nil)
    /// What the device that a link was opened to last calls itself in its advertisements, as far as was heard.
    private(set) var advertisedName: WireText?
    private var candidate: Candidate?
    private var rejections: [(peer: Peer, until: HostInstant)] = []
    /// The device that fitted last: it has precedence over all others.
    private var known: Peer?
    /// The device that failed last, before it fitted: it has no precedence.
    private var failed: Peer?
    /// Whether services have changed since they were asked for.
    private var isOutdated = false
    private var attempts: UInt64 = 0
    /// Whether a link that ends now is tried again in any case; it holds for one.
    var comesBack = false
    private var random: SplitMix64
    private var outputs = FIFO<Output>()

    /// Makes a link that waits for the radio.
    ///
    /// - Parameter configuration: Which device to look for and how to hold on to it.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        random = SplitMix64(seed: configuration.seed)
    }

    /// How far the link is.
    public var state: State {
        switch phase {
        case .down(.unauthorized): .unauthorized
        case .down: .bluetoothOff
        case .scanning: .scanning
        case .connecting: .connecting
        case .discovering, .preparing: .discovering
        case .connected: .connected
        case .leaving, .waiting, .finished: .disconnected
        }
    }

    /// The device that there is a link to; `nil` when there is none that can be used.
    public var peer: Peer? {
        switch phase {
        case .discovering(let peer, _), .preparing(let peer, _), .connected(let peer, _): peer
        default: nil
        }
    }

    /// Whether the device fits and its attributes can be asked for.
    var hasFitted: Bool {
        switch phase {
        case .preparing, .connected: true
        default: false
        }
    }

    var isOver: Bool { if case .finished = phase { true } else { false } }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        switch phase {
        case .scanning(let since):
            candidate.map { candidate in
                let last = since.advanced(bySeconds: Self.nameDelaySeconds)
                return known == nil ? min(last, candidate.nameDeadline ?? last) : last
            }
        case .connecting(_, let until), .discovering(_, let until), .preparing(_, let until),
            .leaving(_, _, let until), .waiting(let until):
            until
        case .down, .connected, .finished: nil
        }
    }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    // MARK: Inputs

    /// Takes in something that happened; what does not concern the link is ignored.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    public mutating func receive(_ input: ClientInput, at now: HostInstant) {
        switch (input, phase) {
        case (_, .finished): break
        case (.radio(let state), _): radioChanged(state, at: now)
        case (.advertisement(let heard), .scanning(let since)): consider(heard, since: since, at: now)
        case (.connected(let peer, _), .connecting):
            outputs.append(.report(Report(.discovering, peer: peer)))
            discover(peer, until: now.advanced(bySeconds: Self.setUpTimeoutSeconds))
        case (.connectFailed(_, let failure), .connecting(let peer, _)):
            retry(peer, .connectFailed(failure), at: now)
        case (.servicesChanged, .discovering): isOutdated = true
        case (.discovered, .discovering(let peer, let until)) where isOutdated: discover(peer, until: until)
        case (.discovered(let services, _), .discovering(let peer, let until)):
            check(services, peer, until: until, at: now)
        case (.discoveryFailed(let failure), .discovering(let peer, _)):
            leave(peer, .retry(.discoveryFailed(failure)), at: now)
        case (.servicesChanged, .preparing(let peer, let until)): discoverAgain(peer, until: until)
        case (.servicesChanged, .connected(let peer, _)):
            discoverAgain(peer, until: now.advanced(bySeconds: Self.setUpTimeoutSeconds))
        case (.disconnected(let failure), .discovering(let peer, _)):
            retry(peer, .lost(failure), at: now)
        case (.disconnected(let failure), .preparing(let peer, _)),
            (.disconnected(let failure), .connected(let peer, _)):
            outputs.append(.lost)
            retry(peer, .lost(failure), at: now)
        case (.disconnected, .leaving(let peer, let departure, _)),
            (.connectFailed, .leaving(let peer, let departure, _)):
            depart(peer, departure, at: now)
        default: break
        }
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        switch phase {
        case .scanning: if let candidate { connect(candidate.peer, candidate.name, at: now) }
        case .connecting(let peer, _): leave(peer, .retry(.connectFailed(.connectTimeout)), at: now)
        case .discovering(let peer, _): leave(peer, .retry(.discoveryFailed(.timeout)), at: now)
        case .preparing: fail(.timeout, at: now)
        // Nobody says that the link is gone: it counts as gone.
        case .leaving(let peer, let departure, _): depart(peer, departure, at: now)
        case .waiting: scan(at: now)
        default: break
        }
    }

    /// Takes in that the device that fits has been set up.
    ///
    /// - Parameter now: The moment.
    public mutating func ready(at now: HostInstant) {
        guard case .preparing(let peer, _) = phase else { return }
        phase = .connected(peer, since: now)
        outputs.append(.report(Report(.connected, peer: peer)))
    }

    /// Takes in that the device that fits cannot be used: closes the link and tries again later.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - now: The moment.
    public mutating func fail(_ failure: GATTRequestError, at now: HostInstant) {
        switch phase {
        case .preparing(let peer, _), .connected(let peer, _):
            outputs.append(.lost)
            leave(peer, .retry(.setUpFailed(failure)), at: now)
        default: break
        }
    }

    /// Takes in that the device that fits is not the right one after all: lets it go as one that lacks something.
    ///
    /// - Parameters:
    ///   - missing: What it lacks, as far as it can be named.
    ///   - now: The moment.
    public mutating func reject(missing: [BluetoothUUID], at now: HostInstant) {
        guard case .preparing(let peer, _) = phase else { return }
        outputs.append(.lost)
        leave(peer, .reject(missing), at: now)
    }

    /// Ends everything; the last output is ``Output/finished(_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        switch phase {
        case .scanning:
            outputs.append(.action(.stopScan))
            finish(nil, Report(.disconnected, reason: .closed))
        case .down, .waiting: finish(nil, Report(.disconnected, reason: .closed))
        case .connecting(let peer, _), .discovering(let peer, _): leave(peer, .finish, at: now)
        case .preparing(let peer, _), .connected(let peer, _):
            outputs.append(.lost)
            leave(peer, .finish, at: now)
        case .leaving(let peer, _, let until): phase = .leaving(peer, .finish, until: until)
        case .finished: break
        }
    }

    // MARK: Steps

    private mutating func radioChanged(_ radio: RadioState, at now: HostInstant) {
        if case .down(let before) = phase, before == radio { return }
        if radio == .ready {
            // A radio that says again that it is ready changes nothing.
            if case .down = phase {
                attempts = 0
                scan(at: now)
            }
            return
        }
        switch phase {
        case .scanning: outputs.append(.action(.stopScan))
        case .preparing, .connected: outputs.append(.lost)
        case .leaving(_, .finish, _):
            finish(nil, Report(.disconnected, reason: .closed))
            return
        default: break
        }
        candidate = nil
        phase = .down(radio)
        outputs.append(.report(Report(radio == .off ? .bluetoothOff : .unauthorized)))
    }

    private mutating func scan(at now: HostInstant) {
        candidate = nil
        rejections.removeAll { $0.until <= now }
        phase = .scanning(since: now)
        outputs.append(.report(Report(.scanning)))
        outputs.append(.action(.startScan))
    }

    private mutating func consider(_ heard: ClientAdvertisement, since: HostInstant, at now: HostInstant) {
        let peer = heard.peer
        guard heard.isConnectable, peer.address?.kind != .anonymous else { return }
        guard configuration.target == .any else {
            if configuration.target.matches(peer) { connect(peer, heard.name, at: now) }
            return
        }
        if peer == known {
            connect(peer, heard.name, at: now)
            return
        }
        guard !rejections.contains(where: { $0.peer == peer && now < $0.until }) else { return }
        guard let new = Candidate(heard, configuration, at: now, after: candidate) else { return }
        let best = candidate.map { new.replaces($0) ? new : $0 } ?? new
        candidate = best
        if known == nil && new.rank == .offering && peer != failed {
            connect(peer, heard.name, at: now)
        } else if known == nil, let deadline = best.nameDeadline, deadline <= now {
            connect(best.peer, best.name, at: now)
        } else if since.advanced(bySeconds: Self.nameDelaySeconds) <= now {
            connect(best.peer, best.name, at: now)
        }
    }

    private mutating func connect(_ peer: Peer, _ name: WireText?, at now: HostInstant) {
        candidate = nil
        advertisedName = name
        phase = .connecting(peer, until: now.advanced(bySeconds: Self.connectTimeoutSeconds))
        outputs.append(.action(.stopScan))
        outputs.append(.report(Report(.connecting, peer: peer)))
        outputs.append(.action(.connect(peer)))
    }

    private mutating func discover(_ peer: Peer, until: HostInstant) {
        isOutdated = false
        phase = .discovering(peer, until: until)
        outputs.append(.action(.discover))
    }

    /// What fitted may have other handles now, or be gone.
    private mutating func discoverAgain(_ peer: Peer, until: HostInstant) {
        outputs.append(.lost)
        outputs.append(.report(Report(.discovering, peer: peer)))
        discover(peer, until: until)
    }

    private mutating func check(
        _ services: [GATT.Service], _ peer: Peer, until: HostInstant, at now: HostInstant
    ) {
        var found: [GATT.Characteristic] = []
        var missing: [BluetoothUUID] = []
        for requirement in configuration.required {
            if let match = requirement.match(in: services) {
                found.append(match)
            } else {
                missing.append(requirement.uuid)
            }
        }
        guard missing.isEmpty else {
            leave(peer, .reject(missing), at: now)
            return
        }
        known = peer
        failed = nil
        phase = .preparing(peer, until: until)
        outputs.append(.fits(found))
    }

    private mutating func leave(_ peer: Peer, _ departure: Departure, at now: HostInstant) {
        phase = .leaving(peer, departure, until: now.advanced(bySeconds: Self.leaveTimeoutSeconds))
        outputs.append(.action(.disconnect))
    }

    private mutating func depart(_ peer: Peer, _ departure: Departure, at now: HostInstant) {
        switch departure {
        case .retry(let reason): retry(peer, reason, at: now)
        case .finish: finish(nil, Report(.disconnected, peer: peer, reason: .closed))
        case .reject(let missing):
            let reason = Reason.wrongDevice(missing: missing)
            let report = Report(.disconnected, peer: peer, reason: reason)
            guard configuration.target == .any else {
                finish(reason, report)
                return
            }
            outputs.append(.report(report))
            if rejections.count == Self.maximumRejections { rejections.removeFirst() }
            rejections.append((peer, now.advanced(bySeconds: Self.rejectionSeconds)))
            if known == peer { known = nil }
            scan(at: now)
        }
    }

    private mutating func retry(_ peer: Peer, _ reason: Reason, at now: HostInstant) {
        if case .connected(_, let since) = phase, since.advanced(bySeconds: Self.settledSeconds) <= now {
            attempts = 0
        }
        if known != peer { failed = peer }
        let isTriedAgain = configuration.reconnects || comesBack
        comesBack = false
        guard isTriedAgain else {
            finish(reason, Report(.disconnected, peer: peer, reason: reason))
            return
        }
        let milliseconds = jittered(min(30_000, 1_000 &<< min(attempts, 5)))
        attempts += 1
        phase = .waiting(until: now.advanced(byMilliseconds: milliseconds))
        outputs.append(
            .report(
                Report(.disconnected, peer: peer, reason: reason, retryMilliseconds: milliseconds)))
    }

    private mutating func finish(_ reason: Reason?, _ report: Report) {
        phase = .finished
        outputs.append(.report(report))
        outputs.append(.finished(reason))
    }

    /// A time 20 % shorter to 20 % longer, so that devices which lost their link together do not come back
    /// all at once.
    private mutating func jittered(_ milliseconds: UInt64) -> UInt64 {
        milliseconds * 4 / 5 + random.next() % (milliseconds * 2 / 5 + 1)
    }
}
