// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of the FlockFinder protocol.
///
/// It finds a device, subscribes to its live stream and then to its detections, keeps the link alive, and
/// comes back when the link is lost. A device is what its characteristics say: from one without the three it
/// disconnects, whatever it advertises.
///
/// Spec: Documentation/Protocols/flockfinder.md.
public struct FlockFinderClient: ClientSession, ~Copyable, Sendable {
    /// What the client reports.
    public typealias Event = FlockFinderEvent

    /// Options of a client.
    public struct Options: Sendable {
        /// Which device to use.
        public var target: DeviceLink.Target
        /// Whether to switch the live stream on, and off at the end.
        public var switchesStreamOn: Bool
        /// Whether to write PING when nothing came for ``FlockFinderClient/silenceSeconds``.
        public var sendsPings: Bool
        /// Whether to come back when the link is lost.
        public var reconnects: Bool
        /// The seed of the random part of waiting times.
        public var seed: UInt64

        /// Makes options.
        public init(
            target: DeviceLink.Target = .any,
            switchesStreamOn: Bool = false,
            sendsPings: Bool = true,
            reconnects: Bool = true,
            seed: UInt64 = 0
        ) {
            self.target = target
            self.switchesStreamOn = switchesStreamOn
            self.sendsPings = sendsPings
            self.reconnects = reconnects
            self.seed = seed
        }
    }

    /// How long nothing may come before a PING is written, in seconds.
    public static let silenceSeconds: UInt64 = 30
    /// How long unsubscribing may take before the link is closed anyway, in seconds.
    public static let unsubscribeSeconds: UInt64 = 2
    /// How many commands may wait for a link.
    public static let maximumWaitingCommands = 16

    private enum Request: Sendable {
        case subscribeStream
        case subscribeDetection
        /// Of the user, or of the client's own.
        case command(WireText, isOwn: Bool)
        case unsubscribe
    }

    /// What a FlockFinder has.
    private struct Parts {
        var detection: GATT.Characteristic
        var command: GATT.Characteristic
        var stream: GATT.Characteristic
    }

    private enum Phase {
        /// There is no device.
        case waiting
        case subscribing(Parts)
        case listening(Parts, lastHeard: HostInstant)
        /// Everything is being switched off; when that has taken too long.
        case leaving(Parts, until: HostInstant)

        var parts: Parts? {
            switch self {
            case .waiting: nil
            case .subscribing(let parts), .listening(let parts, _), .leaving(let parts, _): parts
            }
        }
    }

    private var options: Options
    private var core: ClientCore<Request, Event>
    private var phase = Phase.waiting
    private var detections = JSONObjectStream()
    private var streamObjects = JSONObjectStream()
    private var waitingCommands: [WireText] = []

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: Its options.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(options: Options) {
        self.options = options
        core = ClientCore(
            DeviceLink.Configuration(
                target: options.target, .flockFinder,
                required: [
                    DeviceLink.Requirement(FlockFinderUUID.detection, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(FlockFinderUUID.command, anyOf: [.write, .writeWithoutResponse]),
                    DeviceLink.Requirement(FlockFinderUUID.stream, anyOf: [.notify, .indicate]),
                ],
                reconnects: options.reconnects,
                seed: options.seed))
    }

    /// The state of the link.
    public var state: DeviceLink.State { core.state }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline = HostInstant.earliest(core.nextDeadline, detections.nextDeadline)
        deadline = .earliest(deadline, streamObjects.nextDeadline)
        switch phase {
        case .waiting, .subscribing: return deadline
        case .listening(_, let lastHeard): return .earliest(deadline, pingTime(lastHeard))
        case .leaving(_, let until): return .earliest(deadline, until)
        }
    }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func nextOutput() -> ClientOutput<Event>? { core.nextOutput() }

    // MARK: Inputs

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receive(_ input: ClientInput, at now: HostInstant) {
        core.receive(input, at: now)
        advance(at: now)
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func deadlineReached(at now: HostInstant) {
        detections.deadlineReached(at: now)
        drainDetections()
        streamObjects.deadlineReached(at: now)
        drainStream()
        switch phase {
        case .leaving(_, let until) where until <= now: core.close(at: now)
        case .listening(let parts, let lastHeard):
            guard let time = pingTime(lastHeard), time <= now else { break }
            phase = .listening(parts, lastHeard: now)
            write(FlockFinderCommand.ping, isOwn: true, parts)
        default: break
        }
        core.deadlineReached(at: now)
        advance(at: now)
    }

    // MARK: Commands

    /// Writes a command, at once or as soon as there is a link.
    ///
    /// It ends with one ``FlockFinderEvent/command(_:_:)``: when it was written, when it could not be, or when the
    /// link it was being written on is lost or the session ends before.
    ///
    /// - Parameters:
    ///   - command: The command's text, at most 512 octets.
    ///   - now: The moment.
    public mutating func send(_ command: WireText, at now: HostInstant) {
        if case .listening(let parts, _) = phase {
            write(command, isOwn: false, parts)
            advance(at: now)
        } else if core.isOver {
            core.report(.command(command, .disconnected))
        } else if waitingCommands.count < Self.maximumWaitingCommands {
            waitingCommands.append(command)
        } else {
            core.report(.command(command, .queueFull))
        }
    }

    /// Switches the live stream on, now and after every reconnection.
    ///
    /// - Parameter now: The moment.
    public mutating func startStream(at now: HostInstant) { setStream(true, at: now) }

    /// Switches the live stream off.
    ///
    /// - Parameter now: The moment.
    public mutating func stopStream(at now: HostInstant) { setStream(false, at: now) }

    private mutating func setStream(_ isOn: Bool, at now: HostInstant) {
        options.switchesStreamOn = isOn
        guard case .listening(let parts, _) = phase else { return }
        // Somebody has asked for it just now, and is told what came of it.
        write(isOn ? FlockFinderCommand.streamOn : FlockFinderCommand.streamOff, isOwn: false, parts)
        advance(at: now)
    }

    /// Ends the session: switches everything off that it switched on, closes the link and finishes.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        switch phase {
        case .waiting, .subscribing: core.close(at: now)
        case .listening(let parts, _):
            phase = .leaving(parts, until: now.advanced(bySeconds: Self.unsubscribeSeconds))
            if options.switchesStreamOn {
                core.request(.unsubscribe, commandWrite(FlockFinderCommand.streamOff, parts))
            }
            core.request(.unsubscribe, .subscribe(parts.detection, []))
            core.request(.unsubscribe, .subscribe(parts.stream, []))
        case .leaving: break
        }
        advance(at: now)
    }

    // MARK: Steps

    private mutating func advance(at now: HostInstant) {
        while let step = core.nextStep(at: now) {
            switch step {
            case .report(let report):
                core.report(.state(report))
                if let advice = FlockFinderAdvice(report) { core.report(.advice(advice)) }
            case .mtu(let mtu): core.report(.mtu(mtu))
            case .fits(let found): setUp(found)
            case .value(let handle, let octets): received(octets, from: handle, at: now)
            case .completed(let request, let result): completed(request, result, at: now)
            case .lost(let requests): lost(requests, at: now)
            case .finished:
                for command in waitingCommands { core.report(.command(command, .disconnected)) }
                waitingCommands = []
            case .discovered, .named: break
            }
        }
    }

    private mutating func setUp(_ found: [GATT.Characteristic]) {
        guard found.count == 3 else { return }
        phase = .subscribing(Parts(detection: found[0], command: found[1], stream: found[2]))
        // The stream first: answers to what follows come on it, and then no detection is missed either.
        core.request(.subscribeStream, .subscribe(found[2], subscription(found[2])))
    }

    private func subscription(_ characteristic: GATT.Characteristic) -> GATT.Subscription {
        characteristic.properties.contains(.notify) ? .notify : .indicate
    }

    private mutating func begin(_ parts: Parts, at now: HostInstant) {
        phase = .listening(parts, lastHeard: now)
        core.ready(at: now)
        advance(at: now)
        if options.switchesStreamOn { write(FlockFinderCommand.streamOn, isOwn: true, parts) }
        for command in waitingCommands { write(command, isOwn: false, parts) }
        waitingCommands = []
    }

    private mutating func lost(_ requests: [Request], at now: HostInstant) {
        if case .leaving = phase { core.close(at: now) }
        phase = .waiting
        for case .command(let command, isOwn: false) in requests {
            core.report(.command(command, .disconnected))
        }
        detections.linkClosed()
        drainDetections()
        streamObjects.linkClosed()
        drainStream()
    }

    private func pingTime(_ lastHeard: HostInstant) -> HostInstant? {
        options.sendsPings ? lastHeard.advanced(bySeconds: Self.silenceSeconds) : nil
    }

    // MARK: Values

    private mutating func received(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        guard let parts = phase.parts else { return }
        if handle == parts.detection.valueHandle {
            // A value may overtake the answer to the request that asked for it, and proves as much.
            let isAsked = core.isUnderWay { if case .subscribeDetection = $0 { true } else { false } }
            if case .subscribing = phase, isAsked { begin(parts, at: now) }
            detections.receive(value, at: now)
            drainDetections()
        } else if handle == parts.stream.valueHandle {
            streamObjects.receive(value, at: now)
            drainStream()
        } else {
            return
        }
        if case .listening(let parts, _) = phase { phase = .listening(parts, lastHeard: now) }
    }

    private mutating func drainDetections() {
        while let piece = detections.next() {
            switch piece {
            case .object(let octets):
                do throws(DetectionError) {
                    core.report(.detection(try Detection(decoding: octets)))
                } catch {
                    core.report(.parseError(error, raw: octets))
                }
            case .fault(let error, let raw): core.report(.parseError(error, raw: raw))
            }
        }
    }

    private mutating func drainStream() {
        while let piece = streamObjects.next() {
            switch piece {
            case .object(let octets): core.report(.stream(octets))
            case .fault(let error, let raw): core.report(.parseError(error, raw: raw))
            }
        }
    }

    // MARK: Requests

    private func commandWrite(_ command: WireText, _ parts: Parts) -> ClientRequest {
        parts.command.properties.contains(.write)
            ? .write(parts.command.valueHandle, command.octets)
            : .writeWithoutResponse(parts.command.valueHandle, command.octets)
    }

    private mutating func write(_ command: WireText, isOwn: Bool, _ parts: Parts) {
        core.request(.command(command, isOwn: isOwn), commandWrite(command, parts))
    }

    private mutating func completed(
        _ request: Request, _ result: Result<[UInt8], GATTRequestError>, at now: HostInstant
    ) {
        var failure: GATTRequestError?
        if case .failure(let reason) = result { failure = reason }
        switch request {
        case .subscribeStream, .subscribeDetection:
            guard case .subscribing(let parts) = phase else { return }
            if let failure {
                core.fail(failure, at: now)
            } else if case .subscribeStream = request {
                core.request(.subscribeDetection, .subscribe(parts.detection, subscription(parts.detection)))
            } else {
                begin(parts, at: now)
            }
        case .command(let command, let isOwn):
            // What the client writes by itself is worth a word only when it fails.
            if !isOwn || failure != nil { core.report(.command(command, failure)) }
        case .unsubscribe: if core.isIdle { core.close(at: now) }
        }
    }
}

extension FlockFinderAdvice {
    fileprivate init?(_ report: DeviceLink.Report) {
        switch (report.state, report.reason) {
        case (.bluetoothOff, _): self = .bluetoothOff
        case (.unauthorized, _): self = .unauthorized
        case (.disconnected, .wrongDevice(let missing)): self = .characteristicsMissing(missing)
        case (.disconnected, .setUpFailed(let failure)): self = .notListening(failure)
        case (.disconnected, .some(let reason)) where reason != .closed:
            self = .noLink(retryMilliseconds: report.retryMilliseconds)
        default: return nil
        }
    }
}
