// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of the FlockFinder protocol.
///
/// It finds a device, subscribes to its live stream and then to its detections, keeps the link alive, and
/// comes back when the link is lost. A device is what its characteristics say: one without the three is
/// let go, whatever it advertises.
///
/// Spec: flockfinder-ble-protocol.txt.
public struct FlockFinderClient: ClientSession, ~Copyable, Sendable {
    /// What the client tells its user.
    public typealias Event = FlockFinderEvent

    /// How the client is to work.
    public struct Options: Sendable {
        /// Which device to use.
        public var target: DeviceLink.Target
        /// Whether to switch the live stream on, and off at the end.
        public var streams: Bool
        /// Whether to write PING when nothing came for ``FlockFinderClient/silence``.
        public var pings: Bool
        /// Whether to come back when the link is lost.
        public var retries: Bool
        /// The wall clock's milliseconds since 1970 when the session's clock was at zero.
        public var unixMillisecondsAtZero: Int64
        /// What the random part of waiting times comes from.
        public var seed: UInt64

        /// Makes options.
        ///
        /// - Parameters:
        ///   - target: Which device to use.
        ///   - streams: Whether to switch the live stream on.
        ///   - pings: Whether to write PING when nothing came for a while.
        ///   - retries: Whether to come back when the link is lost.
        ///   - unixMillisecondsAtZero: Milliseconds since 1970 when the session's clock was at zero.
        ///   - seed: What the random part of waiting times comes from.
        public init(
            target: DeviceLink.Target = .any,
            streams: Bool = false,
            pings: Bool = true,
            retries: Bool = true,
            unixMillisecondsAtZero: Int64,
            seed: UInt64 = 0
        ) {
            self.target = target
            self.streams = streams
            self.pings = pings
            self.retries = retries
            self.unixMillisecondsAtZero = unixMillisecondsAtZero
            self.seed = seed
        }
    }

    /// How long nothing may come before a PING is written, in seconds.
    public static let silence: UInt64 = 30
    /// How long the farewell may take before the link is closed anyway, in seconds.
    public static let farewellTime: UInt64 = 2
    /// How many commands may wait for a link.
    public static let maximumWaitingCommands = 16

    private enum Request {
        case subscribeStream
        case subscribeDetection
        case command(WireText, isOwn: Bool)
        case farewell

        var isFarewell: Bool { if case .farewell = self { true } else { false } }
    }

    /// What the client knows of the device it is linked to.
    private struct Peer {
        var detection: GATT.Characteristic
        var command: GATT.Characteristic
        var stream: GATT.Characteristic
        var requests: [(id: UInt32, request: Request)] = []
        var isReady = false
        var lastHeard: HostInstant
        /// When a farewell has taken too long.
        var farewellUntil: HostInstant?

        var isAwaitingDetections: Bool {
            requests.contains { if case .subscribeDetection = $0.request { true } else { false } }
        }
    }

    private var options: Options
    private var link: DeviceLink
    private var peer: Peer?
    private var detections = JSONObjectStream()
    private var streamObjects = JSONObjectStream()
    private var waitingCommands: [WireText] = []
    private var nextRequest: UInt32 = 0
    private var outputs = FIFO<ClientOutput<Event>>()

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: How the client is to work.
    public init(options: Options) {
        self.options = options
        link = DeviceLink(
            DeviceLink.Configuration(
                target: options.target,
                services: [FlockFinderUUID.service],
                namePatterns: FlockFinderName.patterns,
                required: [
                    DeviceLink.Requirement(FlockFinderUUID.detection, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(FlockFinderUUID.command, anyOf: [.write, .writeWithoutResponse]),
                    DeviceLink.Requirement(FlockFinderUUID.stream, anyOf: [.notify, .indicate]),
                ],
                retries: options.retries,
                seed: options.seed))
    }

    /// How far the link is.
    public var state: DeviceLink.State { link.state }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline = HostInstant.earliest(link.nextDeadline, detections.nextDeadline)
        deadline = .earliest(deadline, streamObjects.nextDeadline)
        return .earliest(deadline, peer.flatMap { $0.farewellUntil ?? pingTime($0) })
    }

    /// The next thing to do or to tell.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> ClientOutput<Event>? { outputs.popFirst() }

    // MARK: Inputs

    /// Takes in something that happened.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    public mutating func receive(_ input: ClientInput, at now: HostInstant) {
        switch input {
        case .value(let handle, let value, _): received(value, from: handle, at: now)
        case .completed(let id, let result): completed(id, result, at: now)
        case .connected(_, let mtu):
            link.receive(input, at: now)
            drainLink(at: now)
            if link.state == .discovering { outputs.append(.event(.mtu(mtu))) }
        case .mtuChanged(let mtu): outputs.append(.event(.mtu(mtu)))
        default:
            link.receive(input, at: now)
            drainLink(at: now)
        }
    }

    /// Takes in that ``nextDeadline`` has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        detections.deadlineReached(at: now)
        drainDetections(at: now)
        streamObjects.deadlineReached(at: now)
        drainStream()
        if let until = peer?.farewellUntil, until <= now {
            endLink(at: now)
        } else if let peer, let time = pingTime(peer), time <= now {
            self.peer?.lastHeard = now
            write(FlockFinderCommand.ping, isOwn: true)
        }
        link.deadlineReached(at: now)
        drainLink(at: now)
    }

    // MARK: Commands

    /// Writes a command, at once or as soon as there is a link; answered with ``FlockFinderEvent/command(_:_:)``.
    ///
    /// - Parameters:
    ///   - command: The command's text, at most 512 octets.
    ///   - now: The moment.
    public mutating func send(_ command: WireText, at now: HostInstant) {
        if let peer, peer.isReady, peer.farewellUntil == nil {
            write(command, isOwn: false)
        } else if waitingCommands.count < Self.maximumWaitingCommands {
            waitingCommands.append(command)
        } else {
            outputs.append(.event(.command(command, .queueFull)))
        }
    }

    /// Switches the live stream on, now and after every reconnection.
    ///
    /// - Parameter now: The moment.
    public mutating func startStream(at now: HostInstant) {
        options.streams = true
        if peer?.isReady == true { write(FlockFinderCommand.streamOn, isOwn: true) }
    }

    /// Switches the live stream off.
    ///
    /// - Parameter now: The moment.
    public mutating func stopStream(at now: HostInstant) {
        options.streams = false
        if peer?.isReady == true { write(FlockFinderCommand.streamOff, isOwn: true) }
    }

    /// Ends the session: switches everything off that it switched on, closes the link and finishes.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        guard let peer, peer.farewellUntil == nil, peer.isReady else {
            if peer?.farewellUntil == nil { endLink(at: now) }
            return
        }
        self.peer?.farewellUntil = now.advanced(bySeconds: Self.farewellTime)
        if options.streams {
            request(.farewell, commandWrite(FlockFinderCommand.streamOff, peer))
        }
        request(.farewell, .subscribe(peer.detection, []))
        request(.farewell, .subscribe(peer.stream, []))
    }

    // MARK: The link

    private mutating func drainLink(at now: HostInstant) {
        while let output = link.nextOutput() {
            switch output {
            case .action(let action): outputs.append(.action(action))
            case .report(let report):
                outputs.append(.event(.state(report)))
                if let advice = FlockFinderAdvice(report) { outputs.append(.event(.advice(advice))) }
            case .fits(let found): setUp(found, at: now)
            case .lost:
                let wasLeaving = peer?.farewellUntil != nil
                lost(at: now)
                if wasLeaving { link.close(at: now) }
            case .finished: outputs.append(.finished)
            }
        }
    }

    private mutating func setUp(_ found: [GATT.Characteristic], at now: HostInstant) {
        guard found.count == 3 else { return }
        peer = Peer(detection: found[0], command: found[1], stream: found[2], lastHeard: now)
        // The stream first: answers to what follows come on it, and then no detection is missed either.
        request(.subscribeStream, .subscribe(found[2], subscription(found[2])))
    }

    private func subscription(_ characteristic: GATT.Characteristic) -> GATT.Subscription {
        characteristic.properties.contains(.notify) ? .notify : .indicate
    }

    private mutating func lost(at now: HostInstant) {
        for (_, request) in peer?.requests ?? [] {
            if case .command(let command, isOwn: false) = request {
                outputs.append(.event(.command(command, .disconnected)))
            }
        }
        peer = nil
        detections.linkClosed()
        drainDetections(at: now)
        streamObjects.linkClosed()
        drainStream()
    }

    private mutating func endLink(at now: HostInstant) {
        peer?.farewellUntil = nil
        link.close(at: now)
        drainLink(at: now)
    }

    private func pingTime(_ peer: borrowing Peer) -> HostInstant? {
        options.pings && peer.isReady ? peer.lastHeard.advanced(bySeconds: Self.silence) : nil
    }

    // MARK: Values

    private mutating func received(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        if handle == peer?.detection.valueHandle {
            // A value may overtake the answer to the request that asked for it, and proves as much.
            if peer?.isReady == false, peer?.isAwaitingDetections == true { begin(at: now) }
            detections.receive(value, at: now)
            drainDetections(at: now)
        } else if handle == peer?.stream.valueHandle {
            streamObjects.receive(value, at: now)
            drainStream()
        } else {
            return
        }
        peer?.lastHeard = now
    }

    private mutating func drainDetections(at now: HostInstant) {
        let receivedAt = options.unixMillisecondsAtZero &+ Int64(clamping: now.microseconds / 1000)
        while let piece = detections.next() {
            switch piece {
            case .object(let octets):
                do throws(DetectionError) {
                    let detection = try Detection(decoding: octets, receivedAt: receivedAt)
                    outputs.append(.event(.detection(detection, receivedAt: receivedAt)))
                } catch {
                    outputs.append(.event(.parseError(error, raw: octets)))
                }
            case .fault(let error, let raw): outputs.append(.event(.parseError(error, raw: raw)))
            }
        }
    }

    private mutating func drainStream() {
        while let piece = streamObjects.next() {
            switch piece {
            case .object(let octets): outputs.append(.event(.stream(octets)))
            case .fault(let error, let raw): outputs.append(.event(.parseError(error, raw: raw)))
            }
        }
    }

    // MARK: Requests

    private mutating func request(_ request: Request, _ action: ClientRequest) {
        nextRequest &+= 1
        peer?.requests.append((nextRequest, request))
        outputs.append(.action(.request(id: nextRequest, action)))
    }

    private func commandWrite(_ command: WireText, _ peer: borrowing Peer) -> ClientRequest {
        peer.command.properties.contains(.write)
            ? .write(peer.command.valueHandle, command.octets)
            : .writeWithoutResponse(peer.command.valueHandle, command.octets)
    }

    private mutating func write(_ command: WireText, isOwn: Bool) {
        guard let peer else { return }
        request(.command(command, isOwn: isOwn), commandWrite(command, peer))
    }

    private mutating func completed(
        _ id: UInt32, _ result: Result<[UInt8], RequestFailure>, at now: HostInstant
    ) {
        guard let index = peer?.requests.firstIndex(where: { $0.id == id }),
            let request = peer?.requests.remove(at: index).request
        else { return }
        var failure: RequestFailure?
        if case .failure(let reason) = result { failure = reason }
        switch request {
        case .subscribeStream:
            if let failure {
                setUpFailed(failure, at: now)
            } else if let detection = peer?.detection {
                self.request(.subscribeDetection, .subscribe(detection, subscription(detection)))
            }
        case .subscribeDetection:
            if let failure {
                setUpFailed(failure, at: now)
            } else if peer?.isReady == false {
                begin(at: now)
            }
        case .command(let command, let isOwn):
            // What the client writes by itself is worth a word only when it fails.
            if !isOwn || failure != nil { outputs.append(.event(.command(command, failure))) }
        case .farewell:
            if peer?.requests.contains(where: { $0.request.isFarewell }) == false { endLink(at: now) }
        }
    }

    private mutating func begin(at now: HostInstant) {
        peer?.isReady = true
        peer?.lastHeard = now
        link.ready(at: now)
        drainLink(at: now)
        if options.streams { write(FlockFinderCommand.streamOn, isOwn: true) }
        for command in waitingCommands { write(command, isOwn: false) }
        waitingCommands = []
    }

    private mutating func setUpFailed(_ failure: RequestFailure, at now: HostInstant) {
        link.fail(failure, at: now)
        drainLink(at: now)
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
