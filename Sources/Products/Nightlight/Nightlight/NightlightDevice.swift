// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEGATT
public import BLEWire

/// A Smart Nightlight.
///
/// It owns its clock, its schedules, the child's button, the app's hold on the LEDs, their power and their link, and
/// its battery, and shows at any moment what comes first of: proof, button, day schedule, week.
///
/// ```
///  clock ─► plan (week, day) ─┐
///  press, shake ─► button ────┼─► what comes first ─► link ─► power ─► four LEDs, active source
///  colours of the app ─► proof┘
/// ```
///
/// A value that it cannot take is refused with the profile's error, and the one it had stays. Settings that outlive
/// a restart are reported as ``NightlightDeviceEvent/settings(_:)``.
///
/// Spec: Documentation/Protocols/nightlight.md.
public struct NightlightDevice: DeviceSession, ~Copyable, Sendable {
    /// What the lamp reports to whoever runs it.
    public typealias Event = NightlightDeviceEvent

    /// What the LEDs show.
    struct Shown: Hashable {
        var source: LightSource
        /// With no regard to link and power.
        var colors: [RGBColor]
        var until: HostInstant?
    }

    /// How many outputs may wait before events are left out.
    static let maximumWaiting = 1024
    /// How far the next change may shift before that is reported, in microseconds.
    private static let reportedShift: UInt64 = 60_000_000

    /// What is more than this is no correction of a clock, in seconds.
    private static let longestCorrection: UInt64 = 3600

    /// The name that the lamp has.
    public let name: WireText
    let identity: LampIdentity
    private var links: [LinkID] = []
    var handles: [(handle: AttributeHandle, item: NightlightItem)] = []
    var childName: WireText
    var plan: LightPlan
    private let firstReading: ClockReading?
    private let firstDay: DaySchedule?
    private let dayOrigin: NightlightSettings.DayOrigin?
    var clock: LampClock
    var button: ChildButton
    var proof = LEDProof()
    var isPowered: Bool
    var isLinked: Bool
    /// The battery's level.
    public internal(set) var battery: LampBattery
    /// What the plan makes shine, as long as that holds.
    private(set) var planned: PlannedLight?
    private var lastSource: (source: ActiveSource, until: HostInstant?)?
    private var lastDisplay: LampDisplay?
    /// How many days of the day schedule are left, as reported last.
    private var lastDaysLeft: Int?
    /// When the next of its days begins.
    private var nextMidnight: HostInstant?
    var outputs = FIFO<DeviceOutput<Event>>()

    /// Makes a lamp that waits to be started.
    ///
    /// - Parameters:
    ///   - settings: What it has kept.
    ///   - clock: What its clock shows when it is started; `nil` when it was never set.
    ///   - battery: Its battery.
    ///   - identity: Its Device Information.
    ///   - name: Its name; 29 octets of it are advertised.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(
        settings: NightlightSettings = .factory, clock: ClockReading? = nil,
        battery: LampBattery = LampBattery(percent: 100, isCharging: false),
        identity: LampIdentity = LampIdentity(), name: WireText = "Nightlight"
    ) {
        self.name = name
        self.identity = identity
        self.battery = battery
        childName = settings.childName
        plan = LightPlan(week: settings.week)
        firstDay = settings.day
        dayOrigin = settings.dayOrigin
        firstReading = clock
        self.clock = LampClock(clock, at: .zero)
        button = ChildButton(settings.button)
        isPowered = settings.isPowered
        isLinked = settings.isLinked
    }

    // MARK: What it is

    /// The LED, button, schedule, battery, time and device information services.
    public var services: [GATT.ServiceDefinition] { NightlightItem.services }

    /// A light source.
    ///
    /// Spec: Assigned Numbers 2.6.3, category 0x01F, Light Source.
    public var appearance: UInt16 { 0x07C0 }

    /// The LED service, and the name in the scan response.
    public var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(NightlightUUID.ledService, name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    /// What the lamp keeps when it has no power.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The settings.
    public func settings(at now: HostInstant) -> NightlightSettings {
        let today = clock.time(at: now).date
        return NightlightSettings(
            childName: childName, week: plan.week, day: plan.daySchedule(on: today),
            dayOrigin: clock.isSet ? plan.dayOrigin(on: today) : nil, button: button.settings,
            isPowered: isPowered, isLinked: isLinked)
    }

    /// What the clock on the wall shows; `nil` when it was never set.
    ///
    /// - Parameter now: The moment.
    /// - Returns: The time.
    public func localTime(at now: HostInstant) -> LocalTime? { clock.isSet ? clock.time(at: now) : nil }

    /// What the LEDs show and why.
    ///
    /// - Parameter now: The moment, not before the last input.
    /// - Returns: The source and the four colours.
    public func display(at now: HostInstant) -> LampDisplay {
        let shown = shown(at: now)
        return LampDisplay(source: shown.source, colors: visible(shown.colors))
    }

    // MARK: Inputs

    /// Starts the lamp.
    ///
    /// - Parameters:
    ///   - handles: Where the host has put the values of ``services``.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        self.handles = []
        for item in NightlightItem.allCases {
            if let handle = handles[item.uuid] { self.handles.append((handle, item)) }
        }
        clock = LampClock(firstReading, at: now)
        plan = LightPlan(
            week: plan.week, day: firstDay, dayOrigin: clock.isSet ? dayOrigin : nil,
            at: clock.unix(at: now), on: clock.wall)
        planned = nil
        lastDaysLeft = daysLeft(at: now)
        update(at: now)
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
        switch input {
        case .connected(let id, let peer):
            links.append(id)
            report(.connected(id, peer))
        case .disconnected(let id):
            links.removeAll { $0 == id }
            proof.lost(id)
            report(.disconnected(id))
        // What is new goes to all; the server knows who wants it.
        case .mtuChanged, .subscribed: break
        }
        update(at: now)
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func deadlineReached(at now: HostInstant) { update(at: now) }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> DeviceOutput<Event>? { outputs.popFirst() }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline = HostInstant.earliest(proof.nextDeadline, button.nextDeadline)
        if lastDaysLeft != nil { deadline = .earliest(deadline, nextMidnight) }
        guard clock.isSet else { return deadline }
        deadline = .earliest(deadline, clock.nextDeadline)
        if let until = planned?.until { deadline = .earliest(deadline, clock.instant(of: until)) }
        return deadline
    }

    /// Handles a press of the button.
    ///
    /// - Parameter now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func press(at now: HostInstant) {
        update(at: now)
        let time = clock.isSet ? clock.time(at: now) : nil
        report(.pressed(button.press(minute: time?.minuteOfDay, day: time?.date, at: now)))
        update(at: now)
    }

    /// Handles a shake of the lamp.
    ///
    /// - Parameter now: The moment.
    public mutating func shake(at now: HostInstant) {
        update(at: now)
        report(.shaken(turnsColors: button.shake(at: now)))
        update(at: now)
    }

    /// Sets the state of the battery.
    ///
    /// - Parameters:
    ///   - battery: The battery.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func set(_ battery: LampBattery, at now: HostInstant) {
        let before = self.battery
        self.battery = battery
        if battery.percent != before.percent { send(.batteryLevel, [battery.percent]) }
        if battery != before {
            send(.batteryStatus, battery.status.octets)
            report(.battery(battery))
        }
        update(at: now)
    }

    /// Sets the clock, as somebody at the lamp itself does.
    ///
    /// - Parameters:
    ///   - time: What it shows from now on.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func set(_ time: LocalTime, at now: HostInstant) {
        update(at: now)
        setClock(time, fractions: 0, at: now)
        update(at: now)
    }

    // MARK: What shines

    /// A set clock is no passing of time: the plan goes on from where it now is.
    mutating func setClock(_ time: LocalTime, fractions: UInt8, at now: HostInstant) {
        let shown = clock.time(at: now)
        let before = shown.date
        let wasSet = clock.isSet
        clock.set(time, fractions: fractions, at: now)
        let today = clock.time(at: now).date
        if wasSet {
            plan.adjustToClockChange(from: before, to: today)
            // A correction leaves the night what it was; a jump is into another one.
            if time.seconds(since: shown).magnitude > Self.longestCorrection { plan.forgetNight() }
        } else {
            // Until now nobody knew what day it was.
            plan = LightPlan(week: plan.week, day: plan.daySchedule(on: before), from: today)
        }
        planned = nil
        report(.clock(time))
    }

    /// The schedules have changed.
    mutating func planChanged() { planned = nil }

    /// Brings the lamp to a moment, and reports what has changed.
    mutating func update(at now: HostInstant) {
        proof.deadlineReached(at: now)
        button.deadlineReached(at: now)
        if clock.isSet {
            if clock.advance(to: now) {
                planned = nil
                report(.clock(clock.time(at: now)))
            }
            let moment = clock.unix(at: now)
            if planned == nil || planned?.until.map({ $0 <= moment }) == true {
                plan.forgetPast(on: clock.time(at: now).date)
                planned = plan.light(at: moment, on: clock.wall)
            }
        }
        if daysLeft(at: now) != lastDaysLeft { reportSettings(at: now) }
        let today = clock.time(at: now).date
        let tomorrow = today.advanced(byDays: 1)
        // The last day of the calendar has none after it.
        nextMidnight =
            today < tomorrow ? clock.instant(of: clock.wall.moment(of: LocalTime(tomorrow))) : nil
        report(at: now)
    }

    private func daysLeft(at now: HostInstant) -> Int? {
        plan.daySchedule(on: clock.time(at: now).date)?.daysLeft
    }

    /// Reports what has to outlive a restart.
    mutating func reportSettings(at now: HostInstant) {
        lastDaysLeft = daysLeft(at: now)
        report(.settings(settings(at: now)))
    }

    /// Notifies and reports what shines, if that has changed; a countdown alone does not count.
    private mutating func report(at now: HostInstant) {
        let display = display(at: now)
        if display != lastDisplay {
            lastDisplay = display
            report(.shows(display))
        }
        let source = activeSource(at: now)
        let until = shown(at: now).until
        if let lastSource, lastSource.source.source == source.source, lastSource.source.color == source.color,
            !hasShifted(until, after: lastSource.until)
        {
            return
        }
        lastSource = (source, until)
        send(.activeSource, source.encoded())
    }

    private func hasShifted(_ until: HostInstant?, after before: HostInstant?) -> Bool {
        guard let until, let before else { return until != before }
        return max(until.microseconds(since: before), before.microseconds(since: until))
            >= Self.reportedShift
    }

    // MARK: Telling

    func item(of handle: AttributeHandle) -> NightlightItem? {
        handles.first { $0.handle == handle }?.item
    }

    /// Sends a value to every client that wants it.
    private mutating func send(_ item: NightlightItem, _ octets: [UInt8]) {
        guard let handle = handles.first(where: { $0.item == item })?.handle else { return }
        for link in links where outputs.count < Self.maximumWaiting {
            outputs.append(.send(link, handle, octets, .notify))
        }
    }

    mutating func report(_ event: Event) {
        if outputs.count < Self.maximumWaiting { outputs.append(.event(event)) }
    }
}
