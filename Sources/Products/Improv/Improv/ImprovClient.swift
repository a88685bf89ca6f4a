// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of the Improv protocol.
///
/// It finds a device, listens to its state, errors and results, and then does one command after the other.
/// Credentials wait until the device is authorized: somebody may have to press its button first.
///
/// Spec: Improv via BLE 2.2.
public struct ImprovClient: ClientSession, ~Copyable, Sendable {
    /// What the client reports.
    public typealias Event = ImprovEvent

    /// Options of a client.
    public struct Options: Sendable {
        /// Which device to use.
        public var target: DeviceLink.Target
        /// Whether to come back when the link is lost.
        public var reconnects: Bool
        /// The seed of the random part of waiting times.
        public var seed: UInt64

        /// Makes options.
        public init(target: DeviceLink.Target = .any, reconnects: Bool = true, seed: UInt64 = 0) {
            self.target = target
            self.reconnects = reconnects
            self.seed = seed
        }
    }

    enum Request: Sendable {
        case subscribe
        case readCapabilities
        case readState
        case readResult
        case write(isLast: Bool)
    }

    /// What the client knows of the device it is linked to.
    struct Device {
        var state: GATT.Characteristic
        var error: GATT.Characteristic
        var command: GATT.Characteristic
        var result: GATT.Characteristic
        var pieces = ImprovPacketStream()
        /// How far it is, once it has said so.
        var current = ImprovState(rawValue: 0)
        var capabilities: ImprovCapabilities = []
    }

    /// What is being done.
    enum Running {
        case nothing
        /// Somebody has to press the button.
        case authorizing(ImprovSettings, until: HostInstant)
        /// The command was written; its answer is overdue then.
        case awaiting(ImprovCommandID, until: HostInstant)
        /// Networks came; more may follow.
        case listing([ImprovNetwork], until: HostInstant)
        case joining(hasBegun: Bool, until: HostInstant)
        /// The device is in the network; its address may follow.
        case joined(until: HostInstant)
    }

    /// How long an error may come after a command that has no result, in seconds.
    static let graceSeconds: UInt64 = 1

    var core: ClientCore<Request, Event>
    var device: Device?
    var waiting: [ImprovCommand] = []
    var running = Running.nothing

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: Its options.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(options: Options) {
        core = ClientCore(
            DeviceLink.Configuration(
                target: options.target, .improv,
                required: [
                    DeviceLink.Requirement(ImprovUUID.state, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(ImprovUUID.error, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(ImprovUUID.command, anyOf: [.write, .writeWithoutResponse]),
                    DeviceLink.Requirement(ImprovUUID.result, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(ImprovUUID.capabilities, anyOf: [.read]),
                ],
                reconnects: options.reconnects,
                seed: options.seed))
    }

    /// The state of the link.
    public var state: DeviceLink.State { core.state }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline: HostInstant? = .earliest(core.nextDeadline, device?.pieces.nextDeadline)
        switch running {
        case .nothing: break
        case .authorizing(_, let until), .awaiting(_, let until), .listing(_, let until),
            .joining(_, let until), .joined(let until):
            deadline = .earliest(deadline, until)
        }
        return deadline
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
        checkPieces(at: now)
        runningDeadlineReached(at: now)
        core.deadlineReached(at: now)
        advance(at: now)
    }

    // MARK: Commands

    /// Has the device show itself, by a light or a sound.
    ///
    /// Ends with ``ImprovEvent/identified`` or ``ImprovEvent/failed(_:_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func identify(at now: HostInstant) { enqueue(.identify, at: now) }

    /// Asks what the device is.
    ///
    /// Ends with ``ImprovEvent/info(_:)`` or ``ImprovEvent/failed(_:_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func requestInfo(at now: HostInstant) { enqueue(.deviceInfo, at: now) }

    /// Asks for the networks that the device hears.
    ///
    /// Ends with ``ImprovEvent/networks(_:)`` or ``ImprovEvent/failed(_:_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func listNetworks(at now: HostInstant) { enqueue(.scan, at: now) }

    /// Sends credentials, as soon as the device is authorized, and follows what comes of them.
    ///
    /// Ends with ``ImprovEvent/provisioned(_:)``, unless other credentials take the place of these before they are
    /// sent.
    ///
    /// - Parameters:
    ///   - settings: What the device is to join with; wiped when they are sent.
    ///   - now: The moment.
    public mutating func provision(_ settings: ImprovSettings, at now: HostInstant) {
        if case .authorizing(var older, _) = running {
            running = .nothing
            older.wipe()
        }
        waiting.removeAll { $0.id == .wifiSettings }
        enqueue(.wifiSettings(settings), at: now)
    }

    /// Ends the session: closes the link and finishes; what was asked for ends with it.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        core.close(at: now)
        advance(at: now)
    }

    // MARK: Steps

    mutating func advance(at now: HostInstant) {
        while let step = core.nextStep(at: now) {
            switch step {
            case .report(let report): core.report(.state(report))
            case .discovered(let services):
                core.report(.characteristics(services.flatMap { $0.characteristics.map { $0.uuid } }))
            case .fits(let found): setUp(found)
            case .named: begin(at: now)
            case .mtu(let mtu): core.report(.mtu(mtu))
            case .value(let handle, let octets): received(octets, from: handle, at: now)
            case .completed(let request, let result): completed(request, result, at: now)
            case .lost: lost()
            case .finished: finish()
            }
        }
    }

    private mutating func setUp(_ found: [GATT.Characteristic]) {
        guard found.count == 5 else { return }
        device = Device(state: found[0], error: found[1], command: found[2], result: found[3])
        for characteristic in [found[0], found[1], found[3]] {
            let subscription: GATT.Subscription =
                characteristic.properties.contains(.notify) ? .notify : .indicate
            core.request(.subscribe, .subscribe(characteristic, subscription))
        }
        core.request(.readCapabilities, .read(found[4].valueHandle))
        core.request(.readState, .read(found[0].valueHandle))
        core.readName()
    }

    private mutating func begin(at now: HostInstant) {
        guard let peer = core.peer, let device else { return }
        core.ready(at: now)
        advance(at: now)
        core.report(
            .ready(
                ImprovPeer(
                    peer: peer, name: core.name, mtu: core.mtu, state: device.current,
                    capabilities: device.capabilities)))
        startNext(at: now)
    }

    private mutating func lost() {
        device?.pieces.reset()
        device = nil
        switch running {
        case .nothing: break
        // It was not sent yet: it is when the device is back.
        case .authorizing(let settings, _): waiting.insert(.wifiSettings(settings), at: 0)
        case .awaiting(let id, _): core.report(.failed(id, .disconnected))
        case .listing(let networks, _): core.report(.networks(networks))
        case .joining: core.report(.provisioned(.failed(.disconnected)))
        // Many devices switch Bluetooth off once they are in the network.
        case .joined: core.report(.provisioned(.connected(url: nil)))
        }
        running = .nothing
    }

    private mutating func finish() {
        while !waiting.isEmpty { fail(waiting.removeFirst(), .disconnected) }
    }

    private mutating func completed(
        _ request: Request, _ result: Result<[UInt8], GATTRequestError>, at now: HostInstant
    ) {
        switch (request, result) {
        case (.subscribe, .failure(let failure)), (.readState, .failure(let failure)):
            core.fail(failure, at: now)
        case (.readState, .success(let octets)):
            if let octet = octets.first { device?.current = ImprovState(rawValue: octet) }
        case (.readCapabilities, .success(let octets)):
            device?.capabilities = ImprovCapabilities(rawValue: octets.first ?? 0)
        case (.readResult, .success(let octets)): received(result: octets, at: now)
        case (.write, .failure(let failure)): stop(.writeFailed(failure), at: now)
        case (.subscribe, .success), (.readCapabilities, .failure), (.readResult, .failure),
            (.write, .success):
            break
        }
    }
}
