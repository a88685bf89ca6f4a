// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

/// An air with Bluetooth LE controllers in it that speak HCI with their hosts.
///
/// It has no clock, no sockets and no tasks: octets of hosts and moments go in, octets to hosts and one
/// deadline come out.
///
/// ```
///  host ── H4 ─▶ receive(_:on:at:) ─▶ controller ─ advertising and connection events ─ controller
///  host ◀─ H4 ── nextOutput()      ◀─ controller ─ at their moments, by advance(to:) ─┘
/// ```
///
/// After every input take out all of `nextOutput()`, then come back at `nextDeadline`. Advertising
/// intervals with their random delay, scan windows, connection intervals, supervision timeouts, buffers
/// and losses are those of the real thing; an idle link between two hosts that can hear each other costs
/// nothing. All is decided by the inputs and the seed.
///
/// It is not safe to use from two tasks at once: whoever drives it owns it.
public final class VirtualAir {
    /// What the air is like.
    public private(set) var configuration: Configuration
    /// The moment up to which everything has happened.
    public private(set) var now: HostInstant = .zero
    var controllers: [Controller] = []
    var unreachable: Set<Pair> = []
    var schedule = Schedule()
    var randomness: SplitMix64
    private var nextController: UInt32 = 1
    private var outputs: [(controller: Controller, octets: [UInt8])] = []
    private var delivered = 0

    /// Two controllers, in any order.
    struct Pair: Hashable {
        let low: ControllerID
        let high: ControllerID

        init(_ a: ControllerID, _ b: ControllerID) {
            low = min(a, b)
            high = max(a, b)
        }
    }

    /// Makes an empty air.
    ///
    /// - Parameter configuration: What it is like.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        randomness = SplitMix64(seed: configuration.seed)
    }

    deinit {
        // What goes on holds what it is of, and the other way round.
        for controller in controllers {
            for set in controller.state.advertisingSets + [controller.state.legacySet] { set.run = nil }
            for side in controller.sides { side.link[side.role] = nil }
            controller.sides = []
        }
    }

    // MARK: Controllers

    /// Puts a controller in.
    ///
    /// - Parameter configuration: What it is like.
    /// - Returns: Its name from now on.
    public func addController(_ configuration: ControllerConfiguration) -> ControllerID {
        let id = ControllerID(rawValue: nextController)
        nextController += 1
        controllers.append(Controller(id: id, configuration: configuration))
        return id
    }

    /// Takes a controller out, as if its power had failed; its peers find out by their timeouts.
    ///
    /// - Parameter id: The controller; nothing happens when it is not there.
    public func removeController(_ id: ControllerID) {
        hostDetached(id)
        controllers.removeAll { $0.id == id }
        unreachable = unreachable.filter { $0.low != id && $0.high != id }
    }

    /// Puts a controller back as it was when added, because its host is gone.
    ///
    /// Its links end without a word, what waits for the host is dropped.
    ///
    /// - Parameter id: The controller; nothing happens when it is not there.
    public func hostDetached(_ id: ControllerID) {
        guard let controller = controller(id) else { return }
        reset(controller)
        controller.framer = HCI.H4Framer()
        outputs.removeSubrange(..<delivered)
        delivered = 0
        outputs.removeAll { $0.controller === controller }
        controller.pendingOutputs = 0
        controller.isHeldBack = false
    }

    /// Says that a host takes nothing for now although its packets were taken out, or takes them again.
    ///
    /// As long as it does not, its controller drops advertising reports and refuses data, as with
    /// ``ControllerConfiguration/maximumPendingOutputs``.
    ///
    /// - Parameters:
    ///   - id: The host's controller; nothing happens when it is not there.
    ///   - isBusy: Whether it takes nothing.
    public func setHostBusy(_ id: ControllerID, _ isBusy: Bool) { controller(id)?.isHeldBack = isBusy }

    /// What went wrong at a controller.
    ///
    /// - Parameter id: The controller.
    /// - Returns: Its counters; `nil` when it is not there.
    public func statistics(of id: ControllerID) -> Statistics? { controller(id)?.statistics }

    func controller(_ id: ControllerID) -> Controller? { controllers.first { $0.id == id } }

    // MARK: Faults

    /// How likely one link-layer packet is lost; 0 to 1.
    public var loss: Double {
        get { configuration.loss }
        set {
            configuration.loss = newValue
            channelsChanged()
        }
    }

    /// Cuts two controllers off from each other or lets them hear each other again.
    ///
    /// - Parameters:
    ///   - a: One controller.
    ///   - b: The other.
    ///   - isReachable: Whether they may hear each other.
    public func setReachable(_ a: ControllerID, _ b: ControllerID, _ isReachable: Bool) {
        if isReachable { unreachable.remove(Pair(a, b)) } else { unreachable.insert(Pair(a, b)) }
        channelsChanged()
    }

    /// Moves a controller.
    ///
    /// - Parameters:
    ///   - id: The controller; nothing happens when it is not there.
    ///   - position: Where it stands from now on.
    public func move(_ id: ControllerID, to position: Position) {
        controller(id)?.configuration.position = position
        channelsChanged()
    }

    // MARK: Inputs

    /// Takes octets from a host.
    ///
    /// - Parameters:
    ///   - octets: H4, cut in any way.
    ///   - id: The host's controller; the octets are dropped when it is not there.
    ///   - moment: When they came; one that has passed counts as ``now``.
    public func receive(_ octets: [UInt8], on id: ControllerID, at moment: HostInstant) {
        advance(to: moment)
        guard let controller = controller(id) else { return }
        controller.framer.receive(octets)
        do throws(HCI.FramingError) {
            while let packet = try controller.framer.nextPacket() { receive(packet, on: controller) }
        } catch {
            // As a UART controller does: it says so and waits for the host to reset it.
            controller.statistics.framingErrors += 1
            controller.framer = HCI.H4Framer()
            send(.hardwareError(.init(code: 0)), to: controller)
        }
    }

    /// Lets everything happen up to a moment.
    ///
    /// - Parameter moment: The moment; one that has passed changes nothing.
    public func advance(to moment: HostInstant) {
        guard moment >= now else { return }
        while let (due, event) = schedule.removeNext(upTo: moment) {
            now = max(now, due)
            switch event {
            case .advertising(let controller, let advertising):
                advertisingEvent(of: controller, advertising)
            case .advertisingTimeout(let controller, let advertising):
                advertisingEnded(controller, advertising, .advertisingTimeout)
            case .scanEnd(let controller, _): scanEnded(controller)
            case .connection(let link, _): connectionEvent(of: link)
            case .supervision(let side): supervise(side)
            case .encryption(let side, _): end(side, reason: .lmpOrLLResponseTimeout)
            case .arrival(let controller): arrive(at: controller)
            }
        }
        now = moment
    }

    // MARK: Outputs

    /// When ``advance(to:)`` must be called; `nil` when nothing will happen by itself.
    public var nextDeadline: HostInstant? { schedule.nextDue() }

    /// Takes out the next packet for a host.
    ///
    /// - Returns: Its controller and the octets of one H4 packet; `nil` when there is none.
    public func nextOutput() -> (controller: ControllerID, octets: [UInt8])? {
        guard delivered < outputs.count else {
            outputs.removeAll(keepingCapacity: outputs.count <= 256)
            delivered = 0
            return nil
        }
        let (controller, octets) = outputs[delivered]
        delivered += 1
        controller.pendingOutputs -= 1
        return (controller.id, octets)
    }

    private func put(_ octets: [UInt8], for controller: Controller) {
        controller.pendingOutputs += 1
        outputs.append((controller, octets))
    }

    /// Queues a packet that came over the air for a host.
    func send(_ packet: HCI.Packet, to controller: Controller) {
        guard configuration.latencyMicroseconds.upperBound > 0 else {
            return put(packet.octets, for: controller)
        }
        let delay = UInt64.random(in: configuration.latencyMicroseconds, using: &randomness)
        let due = max(now.advanced(byMicroseconds: delay), controller.lastArrival)
        controller.lastArrival = due
        controller.pendingOutputs += 1
        controller.underway.append((due, packet.octets))
        schedule.add(.arrival(controller), at: due)
    }

    private func arrive(at controller: Controller) {
        while let next = controller.underway.first, next.due <= now {
            _ = controller.underway.popFirst()
            outputs.append((controller, next.octets))
        }
    }

    /// Queues an event for a host, if it wants it.
    func send(_ event: HCI.Event, to controller: Controller) {
        guard controller.wants(event) else { return }
        switch event {
        // These are between the host and its controller.
        case .commandComplete, .commandStatus, .hardwareError, .dataBufferOverflow:
            put(HCI.Packet(event).octets, for: controller)
        default: send(HCI.Packet(event), to: controller)
        }
    }
}
