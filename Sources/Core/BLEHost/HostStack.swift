// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLEWire

/// A Bluetooth LE host: everything between a controller and an application, with no I/O of its own.
///
/// Four kinds of methods, as in every machine of Core:
///
/// - inputs from below: ``receive(_:at:)``, ``transportClosed(at:)``, ``deadlineReached(at:)``;
/// - commands from above: ``start(at:)``, scan, advertise, connect, perform, send, answer;
/// - one drain, ``nextOutput()``, to be called until it returns `nil` after every input and command;
/// - one deadline, ``nextDeadline``; and getters.
///
/// ```
///          start              last command answered
///   off ─────────▶ starting ─────────────────────────▶ ready
///    ▲                │ refused, silent                  │ transport closed, hardware error
///    ├────────────────┴──────────────────────────────────┤
///    └───────────────── stopping ◀───────────────────────┘ stop
/// ```
///
/// Spec: Core v5.4, Vol 3, Part C, 9; Vol 4, Part E, 3.
public struct HostStack: ~Copyable {
    enum Phase {
        case off
        /// Opcodes still to be sent during start-up, first first.
        case starting(remaining: [HCI.Opcode])
        case ready
        /// Waiting for links to close and commands to be answered.
        case stopping
    }

    /// How the host behaves.
    var configuration: HostConfiguration
    /// What the server offers.
    public internal(set) var database: GATT.Database

    var phase = Phase.off
    var framer = HCI.H4Framer()
    var commands: HCI.CommandQueue
    var outputs = FIFO<Output>()
    var links: [Link] = []
    var lastLink: UInt32 = 0
    var acl = ACLCredits()
    var scanner = Scanner()
    var advertiser = Advertiser()
    var initiator = Initiator()
    var serving = Serving.on
    /// Where peers may open channels.
    var listeners: [L2CAP.Listener] = []
    /// What start-up has found out.
    public internal(set) var controller = ControllerInformation()
    /// Input that made no sense and was ignored, by layer.
    public internal(set) var counters = HostCounters()

    /// Makes a host that is off.
    ///
    /// - Parameter configuration: How the host behaves.
    public init(_ configuration: HostConfiguration = HostConfiguration()) {
        self.configuration = configuration
        commands = HCI.CommandQueue(capacity: configuration.limits.commands)
        database = GATT.Database(configuration.allServices)
    }

    /// Whether start-up is done and the controller can be used.
    public var isReady: Bool {
        if case .ready = phase { return true }
        return false
    }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var earliest = HostInstant.earliest(commands.nextDeadline, initiator.deadline)
        earliest = HostInstant.earliest(earliest, scanner.assembler.nextDeadline)
        for link in links { earliest = HostInstant.earliest(earliest, link.nextDeadline) }
        return earliest
    }

    /// The next thing to send or to tell.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Takes octets from the controller.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - now: The moment.
    public mutating func receive(_ octets: [UInt8], at now: HostInstant) {
        if case .off = phase { return }
        framer.receive(octets)
        do throws(HCI.FramingError) {
            while let packet = try framer.nextPacket() { receive(packet, at: now) }
        } catch {
            fail(.lostSync, at: now)
            return
        }
        pump(at: now)
        endServingIfOver()
        endIfStopped()
    }

    /// Leaves the air, with no scan, no advertising and no links, and ends with `stopped` or `failed`.
    ///
    /// A controller goes on with what it was told when its host is gone, so a host should not just go. What a
    /// peer or the controller must answer may take long; whoever cannot wait closes the transport.
    ///
    /// - Parameter now: The moment.
    public mutating func stop(at now: HostInstant) {
        switch phase {
        case .off: tell(.stopped)
        case .stopping: return
        case .starting: fail(.transportClosed, at: now)
        case .ready:
            stopAdvertising(at: now)
            stopScanning(at: now)
            giveUpConnecting(at: now)
            for link in links { disconnect(link.id, at: now) }
            // A command that found the queue full has turned the host off.
            guard isReady else { return }
            phase = .stopping
            pump(at: now)
            endIfStopped()
        }
    }

    /// Goes off when nothing is left to wait for.
    private mutating func endIfStopped() {
        guard case .stopping = phase, links.isEmpty, !initiator.isBusy, commands.isIdle else { return }
        phase = .off
        // The next start-up is not to wait for a credit that came while the host was off.
        _ = commands.removeAll()
        framer = HCI.H4Framer()
        acl = ACLCredits()
        tell(.stopped)
    }

    /// Takes in that the transport is gone: every link is lost and the host is off.
    ///
    /// - Parameter now: The moment.
    public mutating func transportClosed(at now: HostInstant) {
        if case .off = phase { return }
        fail(.transportClosed, at: now)
    }

    /// Takes in that ``nextDeadline`` has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        if commands.expire(at: now) != nil {
            fail(.controllerSilent, at: now)
            return
        }
        initiatorDeadline(at: now)
        scannerDeadline(at: now)
        for link in links {
            link.deadlineReached(at: now)
            drain(link, at: now)
            procedureDeadline(link, at: now)
            flushed(link, at: now)
            if let limit = link.closeBy, limit <= now {
                linkClosed(link.handle, .connectionTimeout, at: now)
            }
        }
        pump(at: now)
        endServingIfOver()
        endIfStopped()
    }

    mutating func tell(_ event: Event) { outputs.append(.event(event)) }

    /// Sends as many commands and as much data as the controller takes.
    mutating func pump(at now: HostInstant) {
        while let packet = commands.nextCommand(at: now) { outputs.append(.send(packet.octets)) }
        pumpACL(at: now)
    }

    /// Queues a command; a full queue means that the controller does not answer any more.
    mutating func command(_ command: some HCI.Command, at now: HostInstant) {
        // The command before this one may have found the queue full.
        if case .off = phase { return }
        guard commands.enqueue(command) else {
            fail(.controllerSilent, at: now)
            return
        }
    }

    /// Loses everything and goes off.
    mutating func fail(_ failure: HostFailure, at now: HostInstant) {
        _ = commands.removeAll()
        framer = HCI.H4Framer()
        for link in links { lose(link, .radioLost, at: now) }
        links = []
        for address in initiator.removeAll() { tell(.connectFailed(address, .radioLost)) }
        scanner = Scanner()
        advertiser = Advertiser()
        if case .stopping = serving { serving = .off }
        acl = ACLCredits()
        phase = .off
        tell(.failed(failure))
    }

    /// The link with an id.
    func link(_ id: LinkID) -> Link? { links.first { $0.id == id } }
}
