// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of the WiFiSet protocol.
///
/// It finds a device, subscribes to its status, and then does what it is asked for: list the networks,
/// ask for the state, write credentials and follow what comes of them. A device is what its characteristics
/// say: from one without the three it disconnects before anything is written.
///
/// Spec: Documentation/Protocols/wifiset.md.
public struct WiFiSetClient: ClientSession, ~Copyable, Sendable {
    /// What the client reports.
    public typealias Event = WiFiSetEvent

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

    /// How long the last word after an error may take, in seconds.
    static let lastWordSeconds: UInt64 = 2
    /// How long the next of a list may take after an error that may be about something else, in seconds.
    static let nextEntrySeconds: UInt64 = 10

    enum Request: Sendable {
        case subscribeStatus
        case subscribeCredentials
        case subscribeList(isOn: Bool)
        case readStatus
        case writeStatusRequest
        case writeCredentials
    }

    /// What the client knows of the device it is linked to.
    struct Device {
        var list: GATT.Characteristic
        var credentials: GATT.Characteristic
        var status: GATT.Characteristic
        /// What came in part, in the order of ``characteristics``.
        var pieces = [WiFiMessageStream](repeating: WiFiMessageStream(), count: 3)
        var heard = WiFiSequence()
        var counter: UInt8 = 0
        var hasListSubscription = false
        /// When an answer to a Status Request is overdue.
        var statusUntil: HostInstant?

        init(_ list: GATT.Characteristic, _ credentials: GATT.Characteristic, _ status: GATT.Characteristic) {
            self.list = list
            self.credentials = credentials
            self.status = status
        }

        var characteristics: [GATT.Characteristic] { [list, credentials, status] }
    }

    /// A list that was asked for.
    struct List {
        var attempt: Int
        var networks = WiFiNetworkList()
        /// When it is asked for again.
        var until: HostInstant
        /// What the device reported since the last that came of the list, and when that ends the list.
        var trouble: (report: WiFiErrorReport, until: HostInstant)?
    }

    /// How far a list is that was asked for.
    enum Listing {
        case idle
        /// Not asked for yet; what is lost so far.
        case waiting(attempt: Int, WiFiNetworkList)
        case running(List)
    }

    /// How far credentials are.
    enum Provisioning {
        case idle
        case waiting(WiFiCredentials)
        case writing(WiFiCredentials, attempt: Int, until: HostInstant, WiFiErrorReport?)
        case joining(WiFiCredentials, until: HostInstant, WiFiErrorReport?)
    }

    var core: ClientCore<Request, Event>
    var device: Device?
    var listing = Listing.idle
    var provisioning = Provisioning.idle
    var wantsStatus = false
    var lastStatus: WiFiStatus?

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: Its options.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(options: Options) {
        core = ClientCore(
            DeviceLink.Configuration(
                target: options.target, .wifiSet,
                required: [
                    DeviceLink.Requirement(WiFiSetUUID.wifiList, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(
                        WiFiSetUUID.credentialWrite, anyOf: [.write, .writeWithoutResponse]),
                    DeviceLink.Requirement(WiFiSetUUID.status, anyOf: [.notify, .indicate]),
                ],
                reconnects: options.reconnects,
                seed: options.seed))
    }

    /// The state of the link.
    public var state: DeviceLink.State { core.state }

    /// The device, once it is ready.
    var listening: Device? { core.state == .connected ? device : nil }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline = core.nextDeadline
        if let device {
            for pieces in device.pieces { deadline = .earliest(deadline, pieces.nextDeadline) }
            deadline = .earliest(deadline, device.statusUntil)
        }
        if case .running(let list) = listing {
            deadline = .earliest(deadline, list.until)
            deadline = .earliest(deadline, list.trouble?.until)
        }
        switch provisioning {
        case .writing(_, _, let until, _), .joining(_, let until, _): deadline = .earliest(deadline, until)
        case .idle, .waiting: break
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
        if let until = device?.statusUntil, until <= now { statusFailed(.timeout, at: now) }
        listDeadlineReached(at: now)
        provisioningDeadlineReached(at: now)
        core.deadlineReached(at: now)
        advance(at: now)
    }

    // MARK: Commands

    /// Asks for the networks that the device hears, at once or as soon as there is a link.
    ///
    /// Ends with ``WiFiSetEvent/list(_:)`` or ``WiFiSetEvent/listFailed(_:)``; one that has not ended begins anew.
    ///
    /// - Parameter now: The moment.
    public mutating func listNetworks(at now: HostInstant) {
        listing = .waiting(attempt: 1, WiFiNetworkList())
        askForList(at: now)
        advance(at: now)
    }

    /// Asks for the state, at once or as soon as there is a link.
    ///
    /// Ends with ``WiFiSetEvent/status(_:)`` or ``WiFiSetEvent/statusFailed(_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func requestStatus(at now: HostInstant) {
        wantsStatus = true
        readStatus()
        advance(at: now)
    }

    /// Writes credentials, at once or as soon as there is a link, and follows what comes of them.
    ///
    /// Ends with ``WiFiSetEvent/provisioned(_:)``, unless other credentials take the place of these before. Another
    /// try may follow on the same link.
    ///
    /// - Parameters:
    ///   - credentials: What the device is to join with; wiped when it has ended.
    ///   - now: The moment.
    public mutating func provision(_ credentials: WiFiCredentials, at now: HostInstant) {
        endProvisioning(nil)
        provisioning = .waiting(credentials)
        writeWaiting(at: now)
        advance(at: now)
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
        guard found.count == 3 else { return }
        device = Device(found[0], found[1], found[2])
        device?.hasListSubscription = core.hasEarlyValue
        core.request(.subscribeStatus, .subscribe(found[2], subscription(found[2])))
    }

    private mutating func begin(at now: HostInstant) {
        guard let peer = core.peer else { return }
        core.ready(at: now)
        advance(at: now)
        core.report(.ready(peer, name: core.name, mtu: core.mtu))
        askForList(at: now)
        if wantsStatus {
            // Also when the link was lost on the way: the answer says how far the device has got.
            readStatus()
        } else {
            writeWaiting(at: now)
        }
    }

    private mutating func lost() {
        device = nil
        lastStatus = nil
        // What is not finished begins again when the link is back.
        if case .running(let list) = listing { listing = .waiting(attempt: list.attempt, list.losses) }
        switch provisioning {
        case .writing(let credentials, _, _, _), .joining(let credentials, _, _):
            provisioning = .waiting(credentials)
            wantsStatus = true
        case .idle, .waiting: break
        }
    }

    private mutating func finish() {
        if case .idle = listing {} else { listFailed(.disconnected) }
        if wantsStatus {
            wantsStatus = false
            core.report(.statusFailed(.disconnected))
        }
        endProvisioning(.disconnected)
    }

    func subscription(_ characteristic: GATT.Characteristic) -> GATT.Subscription {
        characteristic.properties.contains(.notify) ? .notify : .indicate
    }

    // MARK: Requests

    private mutating func completed(
        _ request: Request, _ result: Result<[UInt8], GATTRequestError>, at now: HostInstant
    ) {
        var failure: GATTRequestError?
        if case .failure(let reason) = result { failure = reason }
        switch request {
        case .subscribeStatus:
            guard let credentials = device?.credentials else { return }
            if let failure {
                core.fail(failure, at: now)
            } else if credentials.properties.isDisjoint(with: [.notify, .indicate]) {
                core.readName()
            } else {
                core.request(.subscribeCredentials, .subscribe(credentials, subscription(credentials)))
            }
        // Acknowledgments may come there, too; that they cannot is no reason to give up.
        case .subscribeCredentials: core.readName()
        case .subscribeList(let isOn):
            if isOn, let failure { listFailed(.refused(failure)) }
        case .readStatus: statusRead(result, at: now)
        case .writeStatusRequest:
            if let failure, device?.statusUntil != nil { statusFailed(failure, at: now) }
        case .writeCredentials: if let failure { endProvisioning(.writeFailed(failure)) }
        }
    }
}
