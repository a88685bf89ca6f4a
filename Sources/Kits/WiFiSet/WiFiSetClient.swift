// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of the WiFiSet protocol.
///
/// It finds a device, subscribes to its status, and then does what it is told: ask for the list of networks,
/// ask for the state, write credentials and follow what comes of them. A device is what its characteristics
/// say: one without the three is let go before anything is written.
///
/// Spec: wifiset-protocol.txt; design section 7.
public struct WiFiSetClient: ClientSession, ~Copyable, Sendable {
    /// What the client tells its user.
    public typealias Event = WiFiSetEvent

    /// How the client is to work.
    public struct Options: Sendable {
        /// Which device to use.
        public var target: DeviceLink.Target
        /// Whether to come back when the link is lost.
        public var retries: Bool
        /// What the random part of waiting times comes from.
        public var seed: UInt64

        /// Makes options.
        ///
        /// - Parameters:
        ///   - target: Which device to use.
        ///   - retries: Whether to come back when the link is lost.
        ///   - seed: What the random part of waiting times comes from.
        public init(target: DeviceLink.Target = .any, retries: Bool = true, seed: UInt64 = 0) {
            self.target = target
            self.retries = retries
            self.seed = seed
        }
    }

    /// «Device Name» of the Generic Access service.
    static let deviceName = BluetoothUUID(0x2A00)
    /// How long the last word after an error may take, in seconds.
    static let grace: UInt64 = 2
    /// How long the next of a list may take after an error that may be about something else, in seconds.
    static let patience: UInt64 = 10

    enum Request {
        case subscribeStatus
        case subscribeCredentials
        case readName
        case subscribeList(isOn: Bool)
        case readStatus
        case writeStatusRequest
        case writeCredentials
    }

    /// What the client knows of the device it is linked to.
    struct Peer {
        var list: GATT.Characteristic
        var credentials: GATT.Characteristic
        var status: GATT.Characteristic
        /// What came in part, in the order of ``characteristics``.
        var pieces = [WiFiMessageStream](repeating: WiFiMessageStream(), count: 3)
        var heard = WiFiSequence()
        var counter: UInt8 = 0
        var requests: [(id: UInt32, request: Request)] = []
        var isReady = false
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

    private let options: Options
    var link: DeviceLink
    var peer: Peer?
    var mtu = ATT.defaultMTU
    var device: BLEWire.Peer?
    var nameHandle: AttributeHandle?
    var name: WireText?
    var listing = Listing.idle
    var provisioning = Provisioning.idle
    var wantsStatus = false
    var lastStatus: WiFiStatus?
    var nextRequest: UInt32 = 0
    var outputs = FIFO<ClientOutput<Event>>()

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: How the client is to work.
    public init(options: Options) {
        self.options = options
        link = DeviceLink(
            DeviceLink.Configuration(
                target: options.target,
                services: [WiFiSetUUID.service],
                namePatterns: WiFiSetName.patterns,
                required: [
                    DeviceLink.Requirement(WiFiSetUUID.wifiList, anyOf: [.notify, .indicate]),
                    DeviceLink.Requirement(
                        WiFiSetUUID.credentialWrite, anyOf: [.write, .writeWithoutResponse]),
                    DeviceLink.Requirement(WiFiSetUUID.status, anyOf: [.notify, .indicate]),
                ],
                retries: options.retries,
                seed: options.seed))
    }

    /// How far the link is.
    public var state: DeviceLink.State { link.state }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline = link.nextDeadline
        if let peer {
            for pieces in peer.pieces { deadline = .earliest(deadline, pieces.nextDeadline) }
            deadline = .earliest(deadline, peer.statusUntil)
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
        case .mtuChanged(let mtu):
            self.mtu = mtu
            outputs.append(.event(.mtu(mtu)))
        case .connected(let device, let mtu):
            self.device = device
            self.mtu = mtu
            link.receive(input, at: now)
            drainLink(at: now)
        case .discovered(let services):
            let characteristics = services.flatMap { $0.characteristics }
            nameHandle = characteristics.first { $0.uuid == Self.deviceName }?.valueHandle
            outputs.append(.event(.characteristics(characteristics.map { $0.uuid })))
            fallthrough
        default:
            link.receive(input, at: now)
            drainLink(at: now)
        }
    }

    /// Takes in that ``nextDeadline`` has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        checkPieces(at: now)
        if let until = peer?.statusUntil, until <= now { statusFailed(.timeout, at: now) }
        listDeadlineReached(at: now)
        provisioningDeadlineReached(at: now)
        link.deadlineReached(at: now)
        drainLink(at: now)
    }

    // MARK: Commands

    /// Asks for the networks that the device hears, at once or as soon as there is a link.
    ///
    /// Ends with ``WiFiSetEvent/list(_:)`` or ``WiFiSetEvent/listFailed(_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func listNetworks(at now: HostInstant) {
        listing = .waiting(attempt: 1, WiFiNetworkList())
        if peer?.isReady == true { askForList(at: now) }
    }

    /// Asks for the state, at once or as soon as there is a link.
    ///
    /// Ends with ``WiFiSetEvent/status(_:)`` or ``WiFiSetEvent/statusFailed(_:)``.
    ///
    /// - Parameter now: The moment.
    public mutating func requestStatus(at now: HostInstant) {
        wantsStatus = true
        if let peer, peer.isReady { request(.readStatus, .read(peer.status.valueHandle)) }
    }

    /// Writes credentials, at once or as soon as there is a link, and follows what comes of them.
    ///
    /// Ends with ``WiFiSetEvent/provisioned(_:)``. Another try may follow on the same link.
    ///
    /// - Parameters:
    ///   - credentials: What the device is to join with; wiped when it has ended.
    ///   - now: The moment.
    public mutating func provision(_ credentials: WiFiCredentials, at now: HostInstant) {
        endProvisioning(nil)
        provisioning = .waiting(credentials)
        if peer?.isReady == true { write(attempt: 1, at: now) }
    }

    /// Ends the session: closes the link and finishes.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        endProvisioning(nil)
        listing = .idle
        wantsStatus = false
        link.close(at: now)
        drainLink(at: now)
    }

    // MARK: The link

    mutating func drainLink(at now: HostInstant) {
        while let output = link.nextOutput() {
            switch output {
            case .action(let action): outputs.append(.action(action))
            case .report(let report): outputs.append(.event(.state(report)))
            case .fits(let found): setUp(found)
            case .lost: lost()
            case .finished:
                lost()
                if case .idle = listing {} else { listFailed(.disconnected) }
                if wantsStatus {
                    wantsStatus = false
                    outputs.append(.event(.statusFailed(.disconnected)))
                }
                endProvisioning(.disconnected)
                outputs.append(.finished)
            }
        }
    }

    private mutating func setUp(_ found: [GATT.Characteristic]) {
        guard found.count == 3 else { return }
        peer = Peer(found[0], found[1], found[2])
        request(.subscribeStatus, .subscribe(found[2], subscription(found[2])))
    }

    private mutating func lost() {
        for index in peer?.pieces.indices ?? 0..<0 { peer?.pieces[index].reset() }
        peer = nil
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

    func subscription(_ characteristic: GATT.Characteristic) -> GATT.Subscription {
        characteristic.properties.contains(.notify) ? .notify : .indicate
    }

    // MARK: Requests

    mutating func request(_ request: Request, _ action: ClientRequest) {
        nextRequest &+= 1
        peer?.requests.append((nextRequest, request))
        outputs.append(.action(.request(id: nextRequest, action)))
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
        case .subscribeStatus:
            if let failure {
                link.fail(failure, at: now)
                drainLink(at: now)
            } else if let credentials = peer?.credentials,
                !credentials.properties.isDisjoint(with: [.notify, .indicate])
            {
                self.request(.subscribeCredentials, .subscribe(credentials, subscription(credentials)))
            } else {
                readName(at: now)
            }
        // Acknowledgments may come there, too; that they cannot is no reason to give up.
        case .subscribeCredentials: readName(at: now)
        case .readName:
            if case .success(let octets) = result { name = WireText(octets) }
            if failure != .disconnected { begin(at: now) }
        case .subscribeList(let isOn):
            if isOn, let failure { listFailed(.refused(failure)) }
        case .readStatus: statusRead(result, at: now)
        case .writeStatusRequest:
            if let failure, peer?.statusUntil != nil { statusFailed(failure, at: now) }
        case .writeCredentials:
            if let failure, failure != .disconnected { endProvisioning(.writeFailed(failure)) }
        }
    }

    private mutating func readName(at now: HostInstant) {
        name = nil
        guard let nameHandle else { return begin(at: now) }
        request(.readName, .read(nameHandle))
    }

    private mutating func begin(at now: HostInstant) {
        guard let device else { return }
        peer?.isReady = true
        link.ready(at: now)
        drainLink(at: now)
        outputs.append(.event(.ready(device, name: name, mtu: mtu)))
        if case .waiting = listing { askForList(at: now) }
        if wantsStatus, let peer {
            // Also when the link was lost on the way: the answer says how far the device has got.
            request(.readStatus, .read(peer.status.valueHandle))
        } else if case .waiting = provisioning {
            write(attempt: 1, at: now)
        }
    }
}
