// SPDX-License-Identifier: Apache-2.0

import BLEATT
public import BLEGATT
public import BLEWire

/// A client session and a device session back to back, without a radio, on a clock that the test moves.
///
/// The pair is the radio, the air and the server between the two: it lets the client hear the device, opens links,
/// gives the device's services handles, answers what the server answers by itself and passes the rest on. What goes
/// wrong on a real radio, a test makes go wrong here: requests that are refused, late or never answered, values that
/// are lost or overtake answers, links that break, services that change.
///
/// ```swift
/// let pair = SessionPair(LampClient(), LampDevice())
/// pair.start()
/// pair.update { client, now in client.set(.white, at: now) }
/// pair.run(seconds: 5)
/// // Now look at pair.events, pair.deviceEvents and pair.requests.
/// ```
///
/// It depends on no test framework and is to be used from one thread.
public final class SessionPair<Client: ClientSession & ~Copyable, Device: DeviceSession & ~Copyable> {
    /// What becomes of a request.
    public enum Fate: Sendable {
        /// The device carries it out at once, and the answer is there after this many milliseconds; values that the
        /// device sends meanwhile overtake the answer.
        case carriedOut(afterMilliseconds: UInt64 = 0)
        /// The device never sees it; this is the answer.
        case answered(Result<[UInt8], GATTRequestError>)
        /// The device carries it out, but the answer never comes.
        case unanswered
        /// The link is lost before the device sees it.
        case linkLost
    }

    /// The client; call ``exchange()`` after having done something with it, or use ``update(_:)``.
    public var client: Client
    /// The device; call ``exchange()`` after having done something with it, or use ``updateDevice(_:)``.
    public var device: Device
    /// How the client's radio names the device.
    public let peer = Peer(BluetoothAddress(0xC0FF_EE00_0001, kind: .random))
    /// What the device's link is called.
    public let link = LinkID(rawValue: 1)

    /// The moment.
    public internal(set) var now: HostInstant
    /// What the client has reported.
    public var events: [Client.Event] = []
    /// What the device has reported.
    public var deviceEvents: [Device.Event] = []
    /// What the client has asked of the device, with the moment.
    public internal(set) var requests: [(at: HostInstant, request: ClientRequest)] = []
    /// Whether the client has finished.
    public internal(set) var isFinished = false
    /// Whether there is a link.
    public internal(set) var isConnected = false
    /// Whether the client listens for advertisements.
    public internal(set) var isScanning = false

    /// The MTU of links that will be opened, in octets.
    public var mtu: Int
    /// Whether the device is heard and accepts links.
    public var isThere = true
    /// Why links cannot be opened; `nil` when they can.
    public var connectFailure: LinkError?
    /// Whether a link that the client closes is reported to be gone.
    public var confirmsDisconnection = true
    /// How long the client takes to find out what the device has, in milliseconds.
    public var discoveryMilliseconds: UInt64 = 0
    /// What becomes of each request.
    public var fate: (ClientRequest) -> Fate = { _ in .carriedOut() }
    /// What becomes of each value that the device sends; `nil` loses it.
    public var value: ([UInt8]) -> [UInt8]? = { $0 }
    /// How long values are on their way, in milliseconds.
    public var valueMilliseconds: UInt64 = 0
    /// What the client hears of what the device advertises; `nil` for nothing.
    public var advertisement: (ClientAdvertisement) -> ClientAdvertisement? = { $0 }
    /// What the client finds, made of what the device has.
    public var services: ([GATT.Service]) -> [GATT.Service] = { $0 }

    let database: GATT.Database
    /// How far the handles that the client knows lie above the device's.
    var shift: UInt16 = 0
    /// What the client has switched on, by the device's handles.
    var subscriptions: [AttributeHandle: GATT.Subscription] = [:]
    var nextAdvertisement: HostInstant?
    /// What is on its way to the client, in the order in which it arrives; what stands before ``delivered`` has.
    private var inFlight: [Delivery] = []
    private var delivered = 0
    /// Requests that are never answered while the link lasts.
    var silent: [UInt32] = []

    /// Something on its way to the client.
    struct Delivery {
        let at: HostInstant
        let input: ClientInput
        /// The request that it answers.
        var id: UInt32?
        /// Whether it goes with the link.
        var isOfLink: Bool
    }

    /// Joins two sessions; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - device: The device; it is started.
    ///   - mtu: The MTU of links, in octets.
    ///   - now: Where the clock begins.
    public init(
        _ client: consuming Client, _ device: consuming Device, mtu: Int = ATT.defaultMTU,
        at now: HostInstant = .zero
    ) {
        database = GATT.Database([Self.genericAccess(device.name)] + device.services)
        self.client = client
        self.device = device
        self.mtu = mtu
        self.now = now
        self.device.start(handles: database.valueHandles, at: now)
    }

    // MARK: The test's side

    /// Switches the client's radio on.
    public func start() { setRadio(.ready) }

    /// Changes the state of the client's radio; one that is not ready has no link.
    ///
    /// - Parameter state: The new state.
    public func setRadio(_ state: RadioState) {
        if state != .ready {
            isScanning = false
            dropLink(.radioLost)
        }
        deliver(.radio(state), isOfLink: false)
        exchange()
    }

    /// Does something with the client, and lets everything happen that needs no time.
    ///
    /// - Parameter body: What to do, with the moment.
    public func update(_ body: (inout Client, HostInstant) -> Void) {
        body(&client, now)
        exchange()
    }

    /// Does something with the device, and lets everything happen that needs no time.
    ///
    /// - Parameter body: What to do, with the moment.
    public func updateDevice(_ body: (inout Device, HostInstant) -> Void) {
        body(&device, now)
        exchange()
    }

    /// Breaks the link, if there is one.
    ///
    /// - Parameter failure: Why it breaks.
    public func loseLink(_ failure: LinkError = .supervisionTimeout) {
        guard isConnected else { return }
        dropLink(failure)
        exchange()
    }

    /// Changes the device's services, so that everything has another handle and nothing is subscribed to.
    ///
    /// - Parameter step: How much higher the handles are.
    public func changeServices(movingHandlesBy step: UInt16 = 0x10) {
        guard isConnected else { return }
        shift += step
        for handle in subscriptions.keys.sorted() { device.receive(.subscribed(link, handle, []), at: now) }
        subscriptions = [:]
        deliver(.servicesChanged(ATT.HandleRange(start: .first, end: .last)))
        exchange()
    }

    /// Changes the MTU of the link.
    ///
    /// - Parameter mtu: The new MTU, in octets.
    public func changeMTU(to mtu: Int) {
        self.mtu = mtu
        guard isConnected else { return }
        device.receive(.mtuChanged(link, mtu), at: now)
        deliver(.mtuChanged(mtu))
        exchange()
    }

    /// Sends the client a value that the device has not sent.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - uuid: The characteristic that it comes from; of one that the device lacks nothing is sent.
    public func send(_ octets: [UInt8], from uuid: BluetoothUUID) {
        guard isConnected, let handle = handle(of: uuid) else { return }
        deliver(.value(handle, octets, .notify))
        exchange()
    }

    /// Lets time go by, everything in its order.
    ///
    /// - Parameter milliseconds: How long.
    public func run(milliseconds: UInt64) {
        exchange()
        let end = now.advanced(byMilliseconds: milliseconds)
        while let next = nextMoment, next <= end {
            now = max(now, next)
            if !isFinished, let due = client.nextDeadline, due <= now { client.deadlineReached(at: now) }
            if let due = device.nextDeadline, due <= now { device.deadlineReached(at: now) }
            exchange()
        }
        now = end
    }

    /// Lets time go by, everything in its order.
    ///
    /// - Parameter seconds: How long.
    public func run(seconds: UInt64) { run(milliseconds: seconds * 1000) }

    /// The handle by which the client knows a value now.
    ///
    /// - Parameter uuid: What the value is.
    /// - Returns: The handle; `nil` when the device has no such value.
    public func handle(of uuid: BluetoothUUID) -> AttributeHandle? {
        database.valueHandle(of: uuid).map { shifted($0) }
    }

    /// Lets everything happen that needs no time.
    public func exchange() {
        while drain() || deliverNext() {}
    }

    // MARK: Carrying

    private var nextMoment: HostInstant? {
        var next = HostInstant.earliest(isFinished ? nil : client.nextDeadline, device.nextDeadline)
        if delivered < inFlight.count { next = .earliest(next, inFlight[delivered].at) }
        return .earliest(next, isThere ? nextAdvertisement : nil)
    }

    /// Takes out what both sessions want.
    private func drain() -> Bool {
        var hasMoved = false
        while let output = client.nextOutput() {
            hasMoved = true
            switch output {
            case .event(let event): events.append(event)
            case .finished: isFinished = true
            case .action(let action): perform(action)
            }
        }
        while let output = device.nextOutput() {
            hasMoved = true
            switch output {
            case .event(let event): deviceEvents.append(event)
            case .advertisementChanged: break
            case .send(let link, let handle, let octets, let kind):
                let wanted = subscriptions[handle] ?? []
                guard isConnected, link == self.link, let octets = value(Array(octets.prefix(mtu - 3))),
                    wanted.contains(kind == .notify ? .notify : .indicate)
                else { continue }
                deliver(.value(shifted(handle), octets, kind), afterMilliseconds: valueMilliseconds)
            }
        }
        return hasMoved
    }

    /// Gives the client the next thing that has arrived.
    private func deliverNext() -> Bool {
        if delivered < inFlight.count, inFlight[delivered].at <= now {
            let due = inFlight[delivered]
            delivered += 1
            if delivered == inFlight.count {
                inFlight.removeAll(keepingCapacity: true)
                delivered = 0
            }
            client.receive(due.input, at: now)
            return true
        }
        guard isScanning, isThere, let time = nextAdvertisement, time <= now else { return false }
        nextAdvertisement = now.advanced(byMilliseconds: Self.advertisingInterval)
        if let heard = advertisement(heard()) { client.receive(.advertisement(heard), at: now) }
        return true
    }

    func deliver(
        _ input: ClientInput, answering id: UInt32? = nil, afterMilliseconds delay: UInt64 = 0,
        isOfLink: Bool = true
    ) {
        let time = now.advanced(byMilliseconds: delay)
        var place = inFlight.count
        while place > delivered, inFlight[place - 1].at > time { place -= 1 }
        inFlight.insert(Delivery(at: time, input: input, id: id, isOfLink: isOfLink), at: place)
    }

    /// Takes the link away: what was under way ends before it, as on a radio.
    func dropLink(_ failure: LinkError) {
        guard isConnected else { return }
        isConnected = false
        subscriptions = [:]
        let waiting = inFlight[delivered...]
        let unanswered = (waiting.compactMap(\.id) + silent).sorted()
        silent = []
        inFlight = waiting.filter { !$0.isOfLink }
        delivered = 0
        device.receive(.disconnected(link), at: now)
        for id in unanswered { deliver(.completed(id: id, .failure(.disconnected))) }
        deliver(.disconnected(failure), isOfLink: false)
    }
}
