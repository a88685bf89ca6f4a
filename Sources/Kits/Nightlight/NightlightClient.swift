// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of a Smart Nightlight.
///
/// It finds a lamp, subscribes to what the lamp tells by itself, reads everything once, and is ready. From then on
/// ``values`` follow the lamp. What is written is read back, so that ``values`` are what the lamp has, and a
/// refusal is told with its reason. A lamp is what its characteristics say: one that has no LED 1 is let go before
/// anything is written; what else a lamp lacks is missing in ``values``.
///
/// Spec: nightlight-and-bulb.txt; design section 7.
public struct NightlightClient: ClientSession, ~Copyable, Sendable {
    /// What the client tells its user.
    public typealias Event = NightlightEvent

    /// How the client is to work.
    public struct Options: Sendable {
        /// Which lamp to use.
        public var target: DeviceLink.Target
        /// Whether to come back when the link is lost.
        public var retries: Bool
        /// What the random part of waiting times comes from.
        public var seed: UInt64

        /// Makes options.
        ///
        /// - Parameters:
        ///   - target: Which lamp to use.
        ///   - retries: Whether to come back when the link is lost.
        ///   - seed: What the random part of waiting times comes from.
        public init(target: DeviceLink.Target = .any, retries: Bool = true, seed: UInt64 = 0) {
            self.target = target
            self.retries = retries
            self.seed = seed
        }
    }

    enum Request {
        case subscribe(NightlightItem)
        /// Part of the set-up, the first reading.
        case read(NightlightItem)
        case readName
        /// Because something has changed.
        case refresh(NightlightItem)
        case write(NightlightSetting)
        case readBack(NightlightSetting)
    }

    /// «Device Name» of the Generic Access service.
    private static let deviceName = BluetoothUUID(0x2A00)
    /// How many settings may wait to be written; far more than a lamp has.
    private static let maximumWaiting = 64

    /// What the lamp has, as far as it was read.
    public private(set) var values = NightlightValues()
    /// The lamp, while there is a link.
    public private(set) var peer: Peer?
    var link: DeviceLink
    private var mtu = ATT.defaultMTU
    private var characteristics: [NightlightItem: GATT.Characteristic] = [:]
    private var nameHandle: AttributeHandle?
    private var isReady = false
    /// What is to be asked for; the first is under way with ``currentID``.
    private var requests: [Request] = []
    private var currentID: UInt32?
    /// What is to be written when there is a lamp.
    private var waiting = FIFO<NightlightSetting>()
    private var nextRequest: UInt32 = 0
    private var outputs = FIFO<ClientOutput<Event>>()

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: How the client is to work.
    public init(options: Options) {
        link = DeviceLink(
            DeviceLink.Configuration(
                target: options.target,
                services: [NightlightUUID.ledService],
                namePatterns: ["nightlight"],
                required: [DeviceLink.Requirement(NightlightItem.led1.uuid, anyOf: [.read, .write])],
                retries: options.retries,
                seed: options.seed))
    }

    /// How far the link is.
    public var state: DeviceLink.State { link.state }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { link.nextDeadline }

    /// The next thing to do or to tell.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> ClientOutput<Event>? { outputs.popFirst() }

    /// Whether the lamp has a value at all.
    ///
    /// - Parameter item: The value.
    /// - Returns: Whether it is there; `false` while there is no link.
    public func has(_ item: NightlightItem) -> Bool { characteristics[item] != nil }

    // MARK: Inputs

    /// Takes in something that happened.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    public mutating func receive(_ input: ClientInput, at now: HostInstant) {
        switch input {
        case .value(let handle, let value, _): notified(value, from: handle, at: now)
        case .completed(let id, let result): completed(id, result, at: now)
        case .mtuChanged(let mtu): self.mtu = mtu
        case .connected(let peer, let mtu):
            self.peer = peer
            self.mtu = mtu
            link.receive(input, at: now)
        case .discovered(let services):
            find(in: services)
            link.receive(input, at: now)
        default: link.receive(input, at: now)
        }
        drainLink(at: now)
    }

    /// Takes in that ``nextDeadline`` has come.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        link.deadlineReached(at: now)
        drainLink(at: now)
    }

    // MARK: Commands

    /// Writes a setting and reads it back, at once or as soon as there is a lamp.
    ///
    /// Ends with ``NightlightEvent/written(_:)``, ``NightlightEvent/refused(_:_:)``,
    /// ``NightlightEvent/notKept(_:)`` or ``NightlightEvent/missing(_:)``.
    ///
    /// - Parameters:
    ///   - setting: What to write.
    ///   - now: The moment.
    public mutating func set(_ setting: NightlightSetting, at now: HostInstant) {
        if isReady {
            write(setting)
        } else if waiting.count < Self.maximumWaiting, state != .disconnected || nextDeadline != nil {
            waiting.append(setting)
        } else {
            outputs.append(.event(.refused(setting.item, .disconnected)))
        }
    }

    /// Reads a value again; ``NightlightEvent/changed(_:_:)`` follows if it is another one.
    ///
    /// - Parameter item: The value.
    public mutating func refresh(_ item: NightlightItem) {
        guard isReady, characteristics[item] != nil else { return }
        // One is enough, unless it is under way and may bring what was there before.
        let waiting = requests.dropFirst(currentID == nil ? 0 : 1)
        if !waiting.contains(where: { if case .refresh(item) = $0 { true } else { false } }) {
            request(.refresh(item))
        }
    }

    /// Tells what the lamp has, as ``NightlightEvent/values(_:)``, after everything that was told before.
    public mutating func tellValues() { outputs.append(.event(.values(values))) }

    /// Ends the session: closes the link and finishes.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        link.close(at: now)
        drainLink(at: now)
    }

    // MARK: The link

    private mutating func drainLink(at now: HostInstant) {
        while let output = link.nextOutput() {
            switch output {
            case .action(let action): outputs.append(.action(action))
            case .report(let report): outputs.append(.event(.state(report)))
            case .fits: setUp(at: now)
            case .lost: lost()
            case .finished:
                lost()
                while let setting = waiting.popFirst() {
                    outputs.append(.event(.refused(setting.item, .disconnected)))
                }
                outputs.append(.finished)
            }
        }
    }

    /// Finds each value wherever it stands: lamps differ in what service the button's settings are.
    private mutating func find(in services: [GATT.Service]) {
        characteristics = [:]
        nameHandle = nil
        for service in services {
            for characteristic in service.characteristics {
                if characteristic.uuid == Self.deviceName {
                    nameHandle = nameHandle ?? characteristic.valueHandle
                }
                for item in NightlightItem.allCases
                where item.uuid == characteristic.uuid && characteristics[item] == nil {
                    characteristics[item] = characteristic
                }
            }
        }
    }

    /// Subscribes first and reads then, so that no change falls between.
    private mutating func setUp(at now: HostInstant) {
        values = NightlightValues()
        for item in NightlightItem.allCases {
            guard let characteristic = characteristics[item] else { continue }
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                request(.subscribe(item))
            }
        }
        if nameHandle != nil { request(.readName) }
        for item in NightlightItem.allCases {
            guard let characteristic = characteristics[item] else { continue }
            if characteristic.properties.contains(.read) { request(.read(item)) }
        }
        readyIfDone(at: now)
    }

    private mutating func lost() {
        isReady = false
        peer = nil
        characteristics = [:]
        let given = requests
        requests = []
        currentID = nil
        for request in given {
            switch request {
            case .write(let setting), .readBack(let setting):
                outputs.append(.event(.refused(setting.item, .disconnected)))
            case .subscribe, .read, .readName, .refresh: break
            }
        }
    }

    private mutating func readyIfDone(at now: HostInstant) {
        guard !isReady, requests.isEmpty, let peer else { return }
        isReady = true
        link.ready(at: now)
        drainLink(at: now)
        outputs.append(.event(.ready(peer, mtu: mtu, values)))
        while let setting = waiting.popFirst() { write(setting) }
    }

    // MARK: Requests

    private mutating func request(_ request: Request) {
        requests.append(request)
        askNext()
    }

    private mutating func write(_ setting: NightlightSetting) {
        if characteristics[setting.item] == nil {
            outputs.append(.event(.missing(setting.item)))
        } else {
            request(.write(setting))
        }
    }

    /// Asks for one thing at a time, so that what is read is never older than what was written.
    private mutating func askNext() {
        while currentID == nil, let request = requests.first {
            guard let action = action(request) else {
                requests.removeFirst()
                continue
            }
            nextRequest &+= 1
            currentID = nextRequest
            outputs.append(.action(.request(id: nextRequest, action)))
        }
    }

    private func action(_ request: Request) -> ClientRequest? {
        switch request {
        case .subscribe(let item):
            guard let characteristic = characteristics[item] else { return nil }
            let canNotify = characteristic.properties.contains(.notify)
            return .subscribe(characteristic, canNotify ? .notify : .indicate)
        case .read(let item), .refresh(let item): return read(item)
        case .readBack(let setting): return read(setting.item)
        case .readName: return nameHandle.map { .read($0) }
        case .write(let setting):
            return characteristics[setting.item].map { .write($0.valueHandle, setting.octets) }
        }
    }

    private func read(_ item: NightlightItem) -> ClientRequest? {
        characteristics[item].map { .read($0.valueHandle) }
    }

    private mutating func completed(
        _ id: UInt32, _ result: Result<[UInt8], RequestFailure>, at now: HostInstant
    ) {
        guard id == currentID, !requests.isEmpty else { return }
        currentID = nil
        let request = requests.removeFirst()
        switch result {
        case .success(let octets): succeeded(request, octets, at: now)
        case .failure(let failure):
            failed(request, failure, at: now)
            // What the link makes of it comes before what is next.
            drainLink(at: now)
        }
        askNext()
        readyIfDone(at: now)
    }

    private mutating func succeeded(_ request: Request, _ octets: [UInt8], at now: HostInstant) {
        switch request {
        case .subscribe: break
        case .read(let item), .refresh(let item): take(octets, as: item, at: now)
        case .readName: values.deviceName = WireText(octets)
        // Before anything else, so that nobody's later change is taken for this one.
        case .write(let setting): requests.insert(.readBack(setting), at: 0)
        case .readBack(let setting):
            take(octets, as: setting.item, at: now)
            let isKept = !setting.readsBackAsWritten || octets == setting.octets
            outputs.append(.event(isKept ? .written(setting.item) : .notKept(setting.item)))
            if setting.item.isOfLEDs { refreshLEDs(but: setting.item) }
        }
    }

    private mutating func failed(_ request: Request, _ failure: RequestFailure, at now: HostInstant) {
        switch request {
        case .write(let setting): outputs.append(.event(.refused(setting.item, failure)))
        case .readBack(let setting):
            // That a value cannot be read says nothing against it; a lost link leaves it open.
            let isOpen = failure == .disconnected || failure == .timeout
            outputs.append(.event(isOpen ? .refused(setting.item, failure) : .written(setting.item)))
        case .subscribe, .read, .readName, .refresh:
            switch failure {
            case .refused, .unsupported, .badResponse, .tooLong: break
            case .timeout, .disconnected, .queueFull:
                if !isReady { link.fail(failure, at: now) }
            }
            if case .read(let item) = request { outputs.append(.event(.unreadable(item, failure))) }
        }
    }

    // MARK: Values

    private mutating func notified(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        for item in [NightlightItem.activeSource, .batteryLevel, .batteryStatus]
        where characteristics[item]?.valueHandle == handle {
            let before = values.source
            take(value, as: item, at: now)
            if item == .activeSource, isReady { sourceChanged(from: before, at: now) }
            return
        }
    }

    private mutating func take(_ octets: [UInt8], as item: NightlightItem, at now: HostInstant) {
        let isNew = values[item] != octets
        values.set(octets, of: item, at: now)
        guard isNew else { return }
        if !values.isUnderstood(item) { outputs.append(.event(.malformed(item))) }
        if isReady { outputs.append(.event(.changed(item, values))) }
    }

    /// What else changes with the source: the colours, and a day schedule that has come or gone.
    private mutating func sourceChanged(from before: ActiveSource?, at now: HostInstant) {
        guard let source = values.source else { return }
        if source.source == .proof {
            refreshLEDs(but: nil)
        } else {
            // Only an app gives the LEDs different colours.
            for led in NightlightItem.leds where characteristics[led] != nil {
                take(source.color.octets, as: led, at: now)
            }
        }
        if before?.source != source.source {
            refresh(.day)
            refresh(.ledProof)
        }
    }

    private mutating func refreshLEDs(but item: NightlightItem?) {
        for led in NightlightItem.leds + [.ledProof] where led != item { refresh(led) }
    }
}
