// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEGATT
public import BLEWire

/// The device's end of the FlockFinder protocol.
///
/// It sends detections to every client that has subscribed to them: those of a script, or those of an
/// invented drive without an end. An object that does not fit one notification goes on in the next ones and
/// ends with a newline.
///
/// Nothing is made before it can be sent: a runner that stops draining stops the script, and what the live
/// stream would have said meanwhile is left out.
///
/// Spec: Documentation/Protocols/flockfinder.md.
public struct FlockFinderDevice: DeviceSession, ~Copyable, Sendable {
    /// Where detections come from.
    public enum Source: Sendable {
        /// A script, played once: it begins with the first subscription and rests while there is none.
        case script(DetectionScript)
        /// An invented drive past cameras of many makes, which depends on the seed alone.
        case route
    }

    /// What the device reports to whoever runs it.
    public enum Event: Hashable, Sendable {
        /// A client has opened a link.
        case connected(LinkID, Peer)
        /// A link is gone.
        case disconnected(LinkID)
        /// A client wants detections, or no longer.
        case detections(LinkID, isOn: Bool)
        /// A client wants the live stream, or no longer.
        case stream(LinkID, isOn: Bool)
        /// A client has written a command.
        case command(LinkID, WireText)
        /// A detection was sent to this many clients.
        case sent([UInt8], clients: Int)
        /// The last line of the script was sent.
        case scriptFinished
    }

    private struct Link {
        let id: LinkID
        var mtu = ATT.defaultMTU
        var wantsDetections = false
        var wantsStream = false
        var isStreaming = false

        var hearsAir: Bool { wantsStream && isStreaming }
    }

    private enum Play {
        case script(DetectionScript, next: Int)
        case route(CameraRoute)
    }

    /// How many outputs may wait before answers to commands are left out.
    static let maximumWaiting = 256

    private var play: Play
    private var scene: AirScene
    private var links: [Link] = []
    private var handles: (detection: AttributeHandle, command: AttributeHandle, stream: AttributeHandle)?
    private var startedAt = HostInstant.zero
    private var now = HostInstant.zero
    /// When the next detection is due, while someone wants detections.
    private var nextDetection: HostInstant?
    /// How long to wait for the next detection from the moment someone wants it, in microseconds.
    private var pausedWait: UInt64 = 0
    /// When the next channel is due, while someone wants the live stream.
    private var nextHop: HostInstant?
    private var detectionCount: Int64 = 0
    private var commandCount: Int64 = 0
    private var outputs = FIFO<DeviceOutput<Event>>()

    /// Makes a device that waits to be started.
    ///
    /// - Parameters:
    ///   - source: Where detections come from.
    ///   - seed: What everything invented depends on.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(source: Source = .route, seed: UInt64 = 0) {
        switch source {
        case .script(let script):
            play = .script(script, next: 0)
            pausedWait = Self.wait(of: script, at: 0)
        case .route: play = .route(CameraRoute(seed: seed))
        }
        scene = AirScene(seed: seed)
    }

    // MARK: What it is

    /// The service with its three characteristics.
    public var services: [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                FlockFinderUUID.service,
                characteristics: [
                    GATT.CharacteristicDefinition(FlockFinderUUID.detection, .notify, value: .stored([])),
                    GATT.CharacteristicDefinition(FlockFinderUUID.command, .write, value: .delegated),
                    GATT.CharacteristicDefinition(FlockFinderUUID.stream, .notify, value: .stored([])),
                ])
        ]
    }

    /// The name that a properly set up device has.
    public var name: WireText { FlockFinderName.device }

    /// Generic tag, as real firmware has it.
    public var appearance: UInt16 { 0x0200 }

    /// The service, and the name in the scan response.
    public var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(FlockFinderUUID.service, name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    // MARK: Inputs

    /// Starts the device's clock.
    ///
    /// - Parameters:
    ///   - handles: Where the host has put the values of ``services``.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        self.now = now
        startedAt = now
        if let detection = handles[FlockFinderUUID.detection],
            let command = handles[FlockFinderUUID.command],
            let stream = handles[FlockFinderUUID.stream]
        {
            self.handles = (detection, command, stream)
        }
    }

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        self.now = now
        switch input {
        case .connected(let id, let peer):
            links.append(Link(id: id))
            report(.connected(id, peer))
        case .disconnected(let id):
            links.removeAll { $0.id == id }
            report(.disconnected(id))
        case .mtuChanged(let id, let mtu):
            if let index = index(of: id) { links[index].mtu = max(mtu, ATT.defaultMTU) }
        case .subscribed(let id, let handle, let subscription):
            guard let index = index(of: id) else { return }
            let isOn = subscription.contains(.notify)
            if handle == handles?.detection {
                links[index].wantsDetections = isOn
                report(.detections(id, isOn: isOn))
            } else if handle == handles?.stream {
                links[index].wantsStream = isOn
                report(.stream(id, isOn: isOn))
            }
        }
        adjustTimers()
    }

    /// Refuses: nothing can be read.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: Never.
    /// - Throws: Always.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        throw .readNotPermitted
    }

    /// Handles a written command; every text is accepted.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - value: The command.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Throws: When the value is not the command.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard handle == handles?.command, let index = index(of: link) else { throw .writeNotPermitted }
        self.now = now
        let command = WireText(value)
        report(.command(link, command))
        commandCount += 1
        switch command {
        case FlockFinderCommand.ping: answer(index, "pong")
        case FlockFinderCommand.status: answer(index, "ready")
        case FlockFinderCommand.reset:
            detectionCount = 0
            commandCount = 0
            answer(index, "counters cleared")
        case FlockFinderCommand.streamOn, FlockFinderCommand.streamOff:
            links[index].isStreaming = command == FlockFinderCommand.streamOn
            adjustTimers()
        default: answer(index, Self.unknownCommand(command))
        }
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) { self.now = now }

    // MARK: Outputs

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { .earliest(nextDetection, nextHop) }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func nextOutput() -> DeviceOutput<Event>? {
        while true {
            if let output = outputs.popFirst() { return output }
            // Only an empty queue is filled, so it never holds more than one object and its pieces.
            if let due = nextDetection, due <= now {
                detect(due)
            } else if let due = nextHop, due <= now {
                hop(due)
            } else {
                return nil
            }
        }
    }

    private mutating func detect(_ due: HostInstant) {
        switch play {
        case .script(let script, let next):
            guard next < script.lines.count else {
                nextDetection = nil
                return
            }
            play = .script(script, next: next + 1)
            nextDetection =
                next + 1 < script.lines.count
                ? due.advanced(byMicroseconds: Self.wait(of: script, at: next + 1)) : nil
            sendDetection(script.lines[next].octets)
            if nextDetection == nil { report(.scriptFinished) }
        case .route(var route):
            let detection = route.next(uptime: uptime)
            play = .route(route)
            nextDetection = following(due, every: CameraRoute.period)
            if let detection { sendDetection(detection.encoded()) }
        }
    }

    private mutating func hop(_ due: HostInstant) {
        nextHop = following(due, every: AirScene.period)
        for object in scene.next(uptime: uptime) {
            for link in links where link.hearsAir { send(object, to: link, handles?.stream) }
        }
    }

    /// The next time of a rhythm; times that have gone by are left out.
    private func following(_ due: HostInstant, every milliseconds: UInt64) -> HostInstant {
        let next = due.advanced(byMilliseconds: milliseconds)
        return next > now ? next : now.advanced(byMilliseconds: milliseconds)
    }

    private mutating func sendDetection(_ object: [UInt8]) {
        detectionCount += 1
        var clients = 0
        for link in links where link.wantsDetections {
            send(object, to: link, handles?.detection)
            clients += 1
        }
        report(.sent(object, clients: clients))
    }

    private mutating func send(_ object: [UInt8], to link: Link, _ handle: AttributeHandle?) {
        guard let handle else { return }
        let room = ATT.longestValue(atMTU: link.mtu)
        guard object.count > room else {
            outputs.append(.send(link.id, handle, object, .notify))
            return
        }
        let octets = object + [0x0A]
        var start = 0
        while start < octets.count {
            let end = min(start + room, octets.count)
            outputs.append(.send(link.id, handle, Array(octets[start..<end]), .notify))
            start = end
        }
    }

    private mutating func answer(_ index: Int, _ message: WireText) {
        guard links[index].wantsStream, outputs.count < Self.maximumWaiting else { return }
        var writer = ObjectWriter()
        writer.member("evt", "status")
        writer.member("msg", message)
        writer.member("detections", detectionCount)
        writer.member("commands", commandCount)
        writer.member("clients", Int64(links.count))
        writer.member("stream", links[index].isStreaming)
        writer.member("ts", uptime)
        send(writer.finished(), to: links[index], handles?.stream)
    }

    private static func unknownCommand(_ command: WireText) -> WireText {
        var message: WireText = "unknown command"
        let isPlain = command.octets.allSatisfy { (0x20..<0x7F).contains($0) }
        guard isPlain, !command.isEmpty, command.octets.count <= 32 else { return message }
        message.octets += [UInt8(ascii: ":"), UInt8(ascii: " ")]
        message.octets += command.octets
        return message
    }

    private func index(of link: LinkID) -> Int? { links.firstIndex { $0.id == link } }

    private mutating func report(_ event: Event) {
        if outputs.count < Self.maximumWaiting { outputs.append(.event(event)) }
    }

    // MARK: Time

    private var uptime: Int64 { Int64(clamping: now.microseconds(since: startedAt) / 1000) }

    private static func wait(of script: DetectionScript, at index: Int) -> UInt64 {
        guard index < script.lines.count else { return 0 }
        return HostInstant.zero.advanced(byMilliseconds: script.lines[index].afterMilliseconds).microseconds
    }

    /// Runs the timers of subscribed clients, and stops the others.
    private mutating func adjustTimers() {
        let wantsDetections = links.contains { $0.wantsDetections }
        if let due = nextDetection, !wantsDetections {
            pausedWait = due.microseconds(since: now)
            nextDetection = nil
        } else if nextDetection == nil, wantsDetections, !isFinished {
            nextDetection = now.advanced(byMicroseconds: pausedWait)
        }
        let wantsAir = links.contains { $0.hearsAir }
        nextHop = wantsAir ? nextHop ?? now.advanced(byMilliseconds: AirScene.period) : nil
    }

    private var isFinished: Bool {
        if case .script(let script, let next) = play { next >= script.lines.count } else { false }
    }
}
