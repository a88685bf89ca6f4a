// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
import BLEHCI
import BLEL2CAP
public import BLESMP
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
    var commands: HCI.CommandQueue<Purpose>
    var outputs = FIFO<Output>()
    var links: [Link] = []
    var lastLink: UInt32 = 0
    var acl = ACLCredits()
    /// What the controller may send ahead; `nil` as much as it likes.
    var reception: Reception?
    var scanner = Scanner()
    var advertiser = Advertiser()
    var initiator = Initiator()
    var pause = AirPause()
    /// Whose private addresses were heard lately.
    var resolvedAddresses = ResolvedAddresses()
    /// Whether a bonded device may change its address.
    var resolvesPeers = false
    /// Of whom advertisements are wanted, where the controller cannot know all their addresses; none: of all.
    var wantedAdvertisers: [BluetoothAddress] = []
    var serving = Serving.on
    /// What is kept of devices that we have paired with.
    public internal(set) var bonds: [SMP.Bond] = []
    /// What our server keeps of the clients among them, by their identity.
    var keptClients: [KeptPeer] = []
    /// Who has failed to pair lately.
    var attempts = SMP.AttemptLedger()
    /// Where peers may open channels.
    var listeners: [L2CAP.Listener] = []
    /// What start-up has found out.
    public internal(set) var controller = ControllerInformation()
    /// Input that made no sense and was ignored, by layer.
    public internal(set) var counters = HostCounters()

    /// Makes a host that is off.
    ///
    /// - Parameter configuration: How the host behaves.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
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

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Takes octets from the controller.
    ///
    /// - Parameters:
    ///   - octets: H4 packets, cut in any way.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receive(_ octets: [UInt8], at now: HostInstant) {
        if case .off = phase { return }
        let octets = octets.octetSpan.bytes
        var position = 0
        while position < octets.byteCount {
            let rest = octets.extracting(position..<octets.byteCount)
            if let length = framer.wholePacket(rest) {
                receivePacket(rest.extracting(0..<length), at: now)
                position += length
            } else {
                position += framer.receivePiece(rest)
                do throws(HCI.FramingError) {
                    while let packet = try framer.nextPacket() { receive(packet, at: now) }
                } catch {
                    respond(to: .lostSync, at: now)
                    return
                }
            }
            // What follows a failure is lost with it.
            if case .off = phase { return }
        }
        settle(at: now)
    }

    /// Leaves the air, with no scan, no advertising and no links, and ends with `stopped` or `failed`.
    ///
    /// A controller goes on with what it was told when its host is gone, so a host should not just go. What a
    /// peer or the controller must answer may take long; whoever cannot wait closes the transport.
    ///
    /// - Parameter now: The moment.
    public mutating func stop(at now: HostInstant) {
        switch phase {
        case .off: report(.stopped)
        case .stopping: return
        case .starting: fail(.transportClosed, at: now)
        case .ready:
            stopAdvertising(at: now)
            stopScanning(at: now)
            initiator.cancelAll(at: now)
            drainInitiator(at: now)
            for link in links { disconnect(link.id, at: now) }
            // A command that found the queue full has turned the host off.
            guard isReady else { return }
            phase = .stopping
            settle(at: now)
        }
    }

    /// Goes off when nothing is left to wait for.
    private mutating func endIfStopped() {
        guard case .stopping = phase, links.isEmpty, !initiator.isBusy, advertiser.isQuiet, commands.isIdle
        else { return }
        phase = .off
        // The next start-up is not to wait for a credit that came while the host was off.
        commands.removeAll()
        framer = HCI.H4Framer()
        acl = ACLCredits()
        reception = nil
        report(.stopped)
    }

    /// Handles that the transport is gone: every link is lost and the host is off.
    ///
    /// - Parameter now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func transportClosed(at now: HostInstant) {
        if case .off = phase { return }
        fail(.transportClosed, at: now)
    }

    mutating func report(_ event: Event) { outputs.append(.event(event)) }

    /// Sends as many commands and as much data as the controller takes.
    mutating func pump(at now: HostInstant) {
        while let packet = commands.nextCommand(at: now) { outputs.append(.send(packet.octets)) }
        pumpACL(at: now)
    }

    /// What follows every input: what can go out goes out, and what is over is reported.
    mutating func settle(at now: HostInstant) {
        if pause.isWanted { pauseAir(at: now) }
        pump(at: now)
        endServingIfOver()
        endIfStopped()
    }

    /// Queues a command; a full queue means that the controller does not answer any more.
    mutating func enqueue(_ command: some HCI.Command, for purpose: Purpose, at now: HostInstant) {
        // The command before this one may have found the queue full.
        if case .off = phase { return }
        if !commands.enqueue(command, for: purpose) { respond(to: .silence, at: now) }
    }

    /// Loses everything and goes off.
    mutating func fail(_ failure: HostError, at now: HostInstant) {
        commands.removeAll()
        framer = HCI.H4Framer()
        for link in links {
            _ = link.life.end(.connectionTimeout)
            lose(link, .radioLost, at: now)
        }
        links = []
        for address in initiator.removeAll() { report(.connectFailed(address, .radioLost)) }
        scanner = Scanner()
        advertiser = Advertiser()
        pause = AirPause()
        if case .stopping = serving { serving = .off }
        acl = ACLCredits()
        reception = nil
        phase = .off
        report(.failed(failure))
    }
}
