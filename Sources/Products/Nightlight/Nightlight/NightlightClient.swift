// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of a Smart Nightlight.
///
/// It finds a lamp, subscribes to what the lamp notifies, reads everything once, and is ready. From then on
/// ``values`` follow the lamp. What is written is read back, so that ``values`` are what the lamp has, and a
/// refusal is reported with its reason. A lamp is what its characteristics say: from one that has no LED 1 it
/// disconnects before anything is written; what else a lamp lacks is missing in ``values``.
///
/// Spec: Documentation/Protocols/nightlight.md.
public struct NightlightClient: ClientSession, ~Copyable, Sendable {
    /// What the client reports.
    public typealias Event = NightlightEvent

    /// Options of a client.
    public struct Options: Sendable {
        /// Which lamp to use.
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
        case subscribe(NightlightItem)
        /// Part of the set-up, the first reading.
        case read(NightlightItem)
        /// Because something has changed.
        case refresh(NightlightItem)
        /// Because somebody has asked; after the last one the values are reported.
        case again(NightlightItem, isLast: Bool)
        case write(NightlightSetting)
        case readBack(NightlightSetting)
    }

    /// How many settings may wait to be written; far more than a lamp has.
    private static let maximumWaiting = 64

    /// What the lamp has, as far as it was read.
    public private(set) var values = NightlightValues()
    private var core: ClientCore<Request, Event>
    private var characteristics: [NightlightItem: GATT.Characteristic] = [:]
    /// What is to be written when there is a lamp.
    private var waiting = FIFO<NightlightSetting>()

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: Its options.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(options: Options) {
        core = ClientCore(
            DeviceLink.Configuration(
                target: options.target, .nightlight,
                required: [DeviceLink.Requirement(NightlightItem.led1.uuid, anyOf: [.read, .write])],
                reconnects: options.reconnects,
                seed: options.seed))
    }

    /// The state of the link.
    public var state: DeviceLink.State { core.state }

    /// The lamp, while there is a link.
    public var peer: Peer? { core.peer }

    private var isReady: Bool { core.state == .connected }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? { core.nextDeadline }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func nextOutput() -> ClientOutput<Event>? { core.nextOutput() }

    /// Whether the lamp has a value at all.
    ///
    /// - Parameter item: The value.
    /// - Returns: Whether it is there; `false` while there is no link.
    public func has(_ item: NightlightItem) -> Bool { characteristics[item] != nil }

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
        core.deadlineReached(at: now)
        advance(at: now)
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
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func set(_ setting: NightlightSetting, at now: HostInstant) {
        if isReady {
            write(setting)
            advance(at: now)
        } else if core.isOver {
            core.report(.refused(setting.item, .disconnected))
        } else if waiting.count < Self.maximumWaiting {
            waiting.append(setting)
        } else {
            core.report(.refused(setting.item, .queueFull))
        }
    }

    /// Reports what the lamp has, as ``NightlightEvent/values(_:)``, after all reports that wait.
    public mutating func reportValues() { core.report(.values(values)) }

    /// Reads values again, and reports then what the lamp has, as ``NightlightEvent/values(_:)``.
    ///
    /// - Parameters:
    ///   - items: Which values; those that the lamp lacks are left out.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func readAgain(_ items: [NightlightItem], at now: HostInstant) {
        var readable: [NightlightItem] = []
        for item in items where characteristics[item]?.properties.contains(.read) == true {
            readable.append(item)
        }
        guard isReady, let last = readable.last else { return reportValues() }
        for item in readable { read(item, .again(item, isLast: item == last)) }
        advance(at: now)
    }

    /// Ends the session: closes the link and finishes.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        core.close(at: now)
        advance(at: now)
    }

    // MARK: Steps

    private mutating func advance(at now: HostInstant) {
        while let step = core.nextStep(at: now) { handle(step, at: now) }
    }

    private mutating func handle(_ step: ClientCore<Request, Event>.Step, at now: HostInstant) {
        switch step {
        case .report(let report): core.report(.state(report))
        case .discovered(let services): find(in: services)
        case .fits: setUp()
        case .named:
            values.deviceName = core.name
            readyIfDone(at: now)
        case .value(let handle, let octets): notified(octets, from: handle, at: now)
        case .completed(let request, let result):
            switch result {
            case .success(let octets): succeeded(request, octets, at: now)
            case .failure(let failure): failed(request, failure, at: now)
            }
            readyIfDone(at: now)
        case .lost(let requests): lost(requests)
        case .finished:
            while let setting = waiting.popFirst() { core.report(.refused(setting.item, .disconnected)) }
        case .mtu: break
        }
    }

    /// Finds each value wherever it stands: lamps differ in what service the button's settings are.
    private mutating func find(in services: [GATT.Service]) {
        characteristics = [:]
        for service in services {
            for characteristic in service.characteristics {
                for item in NightlightItem.allCases
                where item.uuid == characteristic.uuid && characteristics[item] == nil {
                    characteristics[item] = characteristic
                }
            }
        }
    }

    /// Subscribes first and reads then, so that no change falls between.
    private mutating func setUp() {
        values = NightlightValues()
        for item in NightlightItem.allCases {
            guard let characteristic = characteristics[item] else { continue }
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                let canNotify = characteristic.properties.contains(.notify)
                core.request(.subscribe(item), .subscribe(characteristic, canNotify ? .notify : .indicate))
            }
        }
        core.readName()
        for item in NightlightItem.allCases
        where characteristics[item]?.properties.contains(.read) == true {
            read(item, .read(item))
        }
    }

    private mutating func lost(_ requests: [Request]) {
        characteristics = [:]
        for request in requests {
            switch request {
            case .write(let setting), .readBack(let setting):
                core.report(.refused(setting.item, .disconnected))
            case .subscribe, .read, .refresh, .again: break
            }
        }
    }

    private mutating func readyIfDone(at now: HostInstant) {
        guard !isReady, core.isIdle, let peer = core.peer else { return }
        core.ready(at: now)
        advance(at: now)
        core.report(.ready(peer, mtu: core.mtu, values))
        while let setting = waiting.popFirst() { write(setting) }
    }

    // MARK: Requests

    private mutating func write(_ setting: NightlightSetting) {
        if let characteristic = characteristics[setting.item] {
            core.request(.write(setting), .write(characteristic.valueHandle, setting.octets))
        } else {
            core.report(.missing(setting.item))
        }
    }

    private mutating func read(_ item: NightlightItem, _ request: Request, first isFirst: Bool = false) {
        guard let characteristic = characteristics[item] else { return }
        core.request(request, .read(characteristic.valueHandle), first: isFirst)
    }

    /// Reads a value again; one that waits to be read is enough.
    private mutating func refresh(_ item: NightlightItem) {
        if !core.isWaiting({ if case .refresh(item) = $0 { true } else { false } }) {
            read(item, .refresh(item))
        }
    }

    private mutating func succeeded(_ request: Request, _ octets: [UInt8], at now: HostInstant) {
        switch request {
        case .subscribe: break
        case .read(let item), .refresh(let item): keep(octets, as: item, at: now)
        case .again(let item, let isLast):
            keep(octets, as: item, at: now)
            if isLast { reportValues() }
        // Before anything else, so that nobody's later change is taken for this one.
        case .write(let setting): read(setting.item, .readBack(setting), first: true)
        case .readBack(let setting):
            keep(octets, as: setting.item, at: now)
            let isKept = !setting.readsBackAsWritten || octets == setting.octets
            core.report(isKept ? .written(setting.item) : .notKept(setting.item))
            if setting.item.isOfLEDs { refreshLEDs(but: setting.item) }
        }
    }

    private mutating func failed(_ request: Request, _ failure: GATTRequestError, at now: HostInstant) {
        switch request {
        case .write(let setting): core.report(.refused(setting.item, failure))
        case .readBack(let setting):
            // That a value cannot be read says nothing against it; a link that fails leaves it open.
            let isOpen = failure == .timeout || failure == .queueFull
            core.report(isOpen ? .refused(setting.item, failure) : .written(setting.item))
        case .again(_, let isLast):
            if isLast { reportValues() }
        case .subscribe, .read, .refresh:
            if !isReady, failure == .timeout || failure == .queueFull { core.fail(failure, at: now) }
            if case .read(let item) = request { core.report(.unreadable(item, failure)) }
        }
    }

    // MARK: Values

    private mutating func notified(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        for item in [NightlightItem.activeSource, .batteryLevel, .batteryStatus]
        where characteristics[item]?.valueHandle == handle {
            let before = values.source
            keep(value, as: item, at: now)
            if item == .activeSource, isReady { sourceChanged(from: before, at: now) }
            return
        }
    }

    private mutating func keep(_ octets: [UInt8], as item: NightlightItem, at now: HostInstant) {
        let isNew = values[item] != octets
        values.set(octets, of: item, at: now)
        guard isNew else { return }
        if !values.isUnderstood(item) { core.report(.malformed(item)) }
        if isReady { core.report(.changed(item, values)) }
    }

    /// What else changes with the source: the colours, and a day schedule that has come or gone.
    private mutating func sourceChanged(from before: ActiveSource?, at now: HostInstant) {
        guard let source = values.source else { return }
        if source.source == .proof {
            refreshLEDs(but: nil)
        } else {
            // Only an app gives the LEDs different colours.
            for led in NightlightItem.leds where characteristics[led] != nil {
                keep(source.color.octets, as: led, at: now)
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
