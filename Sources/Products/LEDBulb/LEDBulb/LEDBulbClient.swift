// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The app's end of any dialect: finds a bulb, recognizes its dialect, and then sends commands.
///
/// One request is under way at a time, so a bulb is never sent more than the link takes. Commands that wait are
/// replaced by newer ones of their kind, so that of a slider's hundred colours the last one arrives soon.
///
/// ```
///  perform ─► waiting ─► written ─► settled      asked for the state where there is one, else for the name:
///                                                what is answered after a write says that the write arrived
/// ```
///
/// The name is asked for after all work only, as some bulbs never answer that or end the link: then it counts as answered, and
/// is not asked for again.
///
/// Spec: Documentation/Protocols/led-bulb.md.
public struct LEDBulbClient: ClientSession, ~Copyable, Sendable {
    /// What the client reports.
    public typealias Event = LEDBulbEvent

    /// Options of a client.
    public struct Options: Sendable {
        /// Which device to use.
        public var target: DeviceLink.Target
        /// What the bulb speaks; `nil` learns it from its characteristics.
        public var dialect: BulbDialect?
        /// Whether to come back when the link is lost.
        public var reconnects: Bool
        /// Whether a bulb may be asked for its name; without it, what such a bulb does not answer is settled when it is written.
        public var asksName: Bool
        /// The seed of the random part of waiting times.
        public var seed: UInt64

        /// Makes options.
        public init(
            target: DeviceLink.Target = .any, dialect: BulbDialect? = nil, reconnects: Bool = true,
            asksName: Bool = true, seed: UInt64 = 0
        ) {
            self.target = target
            self.dialect = dialect
            self.reconnects = reconnects
            self.asksName = asksName
            self.seed = seed
        }
    }

    /// How long a bulb may take to report its state or its name, in seconds.
    public static let answerSeconds: UInt64 = 2
    /// How much of an answer that makes no sense is kept, in octets.
    static let longestAnswer = 64
    /// How often a bulb is asked for its state.
    public static let answerTries = 3
    /// How long a colour of a cycle stays at least, in milliseconds: the step of Colorific's script.
    ///
    /// Spec: Documentation/Protocols/led-bulb.md, Times.
    public static let cycleStepMilliseconds: UInt64 = 50

    enum Request: Sendable {
        case subscribe
        /// A command as it is written.
        case write(BulbCommand, [UInt8])
        case cycle(RGBColor)
        case ask
    }

    /// What the client knows of the bulb it is linked to.
    struct Bulb {
        let dialect: BulbDialect
        let control: GATT.Characteristic
        var reports: GATT.Characteristic?
        /// What was written last and is not known to have arrived: a switch, and a light.
        var unsettledPower: BulbCommand?
        var unsettledLight: BulbCommand?
        var unsettledBrightness: BulbCommand?
        /// What it has notified since it was asked that is no state, by itself or with what came before.
        var notUnderstood: [[UInt8]] = []
        /// How much of that came before it was asked the last time.
        var notUnderstoodBefore = 0
        /// An answer that is awaited: the number of the attempt, and until when.
        var asking: (tries: Int, until: HostInstant)?
        /// Whether its name was asked for and nothing has come of it yet.
        var isNaming = false
        /// Until when the name is awaited.
        var namedUntil: HostInstant?

        var isUnsettled: Bool {
            unsettledPower != nil || unsettledLight != nil || unsettledBrightness != nil
        }
        var isAnswered: Bool { !control.properties.contains(.writeWithoutResponse) }
        var reportsState: Bool { reports != nil }
    }

    private let options: Options
    var core: ClientCore<Request, Event>
    var bulb: Bulb?
    var services: [GATT.Service] = []
    var waitingPower: BulbCommand?
    var waitingLight: BulbCommand?
    var waitingBrightness: BulbCommand?
    var wantsState = false
    var wantsName = false
    /// Whether the bulb may be asked for its name: not once a link has ended at it.
    var asksName: Bool
    /// What had been written when a link ended while the name was asked for.
    var atName: (power: BulbCommand?, light: BulbCommand?, brightness: BulbCommand?)?
    var cycle: BulbCycle?

    /// Makes a client that waits for the radio.
    ///
    /// - Parameter options: Its options.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(options: Options) {
        self.options = options
        asksName = options.asksName
        core = ClientCore(
            DeviceLink.Configuration(
                target: options.target, .ledBulb, reconnects: options.reconnects, seed: options.seed))
    }

    /// The state of the link.
    public var state: DeviceLink.State { core.state }

    /// What the bulb speaks; `nil` while there is none.
    public var dialect: BulbDialect? { bulb?.dialect }

    /// Whether the bulb can be sent the next request.
    var isFree: Bool { core.isIdle && core.state == .connected }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline: HostInstant? = .earliest(core.nextDeadline, bulb?.namedUntil)
        guard isFree else { return deadline }
        deadline = .earliest(deadline, bulb?.asking?.until)
        return .earliest(deadline, cycle?.next)
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
        core.deadlineReached(at: now)
        advance(at: now)
        if let until = bulb?.namedUntil, until <= now { named() }
        if isFree, let asking = bulb?.asking, asking.until <= now {
            if asking.tries < Self.answerTries {
                ask(try: asking.tries + 1, at: now)
            } else {
                let answers = bulb?.notUnderstood ?? []
                stateFailed(answers.isEmpty ? .noAnswer : .notUnderstood(answers))
            }
        }
        advance(at: now)
    }

    // MARK: Commands

    /// Sends a command to the bulb, at once or as soon as there is a link.
    ///
    /// Ends with ``LEDBulbEvent/written(_:_:)`` and, when nothing more is written, ``LEDBulbEvent/settled``, or with
    /// ``LEDBulbEvent/refused(_:_:)``. A colour, white or an effect ends a cycle.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - now: The moment.
    public mutating func perform(_ command: BulbCommand, at now: HostInstant) {
        guard !core.isOver else {
            core.report(.refused(command, .disconnected))
            return
        }
        switch command {
        case .power: waitingPower = command
        case .brightness: waitingBrightness = command
        case .color, .white, .effect:
            waitingLight = command
            cycle = nil
        case .requestState: wantsState = true
        }
        advance(at: now)
    }

    /// Asks the bulb for its name, after everything else.
    ///
    /// Ends with ``LEDBulbEvent/named(_:)``, after ``answerSeconds`` at the latest, or with the link.
    ///
    /// - Parameter now: The moment.
    public mutating func requestName(at now: HostInstant) {
        let isLeftOpen = bulb?.isNaming == true && bulb?.namedUntil == nil
        guard !core.isOver, core.name == nil, !isLeftOpen else {
            core.report(.named(core.name))
            return
        }
        wantsName = true
        advance(at: now)
    }

    /// Makes the bulb go through all hues, from red to red, as Colorific's script does.
    ///
    /// A colour stays ``cycleStepMilliseconds`` at least; when the link is slower, colours are left out, and
    /// the turns stay as long as they are.
    ///
    /// - Parameters:
    ///   - turn: How long a turn takes, in milliseconds; at least 1 and at most a day.
    ///   - turns: How many turns; `nil` until ``stopCycle(at:)``.
    ///   - now: The moment.
    public mutating func startCycle(turnMilliseconds turn: UInt64, turns: UInt32? = nil, at now: HostInstant)
    {
        waitingLight = nil
        cycle = BulbCycle(turn: turn, turns: turns)
        advance(at: now)
    }

    /// Ends a cycle; the bulb keeps the colour that it has come to.
    ///
    /// - Parameter now: The moment.
    public mutating func stopCycle(at now: HostInstant) {
        cycle = nil
        advance(at: now)
    }

    /// Ends the session: closes the link and finishes.
    ///
    /// - Parameter now: The moment.
    public mutating func close(at now: HostInstant) {
        cycle = nil
        core.close(at: now)
        advance(at: now)
    }

    // MARK: Steps

    /// Carries out the steps of the core, and begins the next request when none is under way.
    mutating func advance(at now: HostInstant) {
        while true {
            while let step = core.nextStep(at: now) { handle(step, at: now) }
            guard requestNext(at: now) else { return }
        }
    }

    private mutating func handle(_ step: ClientCore<Request, Event>.Step, at now: HostInstant) {
        switch step {
        case .report(let report): reported(report)
        case .discovered(let services): self.services = services
        case .fits: setUp(at: now)
        case .named:
            bulb?.isNaming = false
            named()
        case .value(let handle, let octets):
            if handle == bulb?.reports?.valueHandle { reported(octets) }
        case .completed(let request, let result): completed(request, result, at: now)
        case .lost(let requests): lost(requests)
        case .finished: finish()
        case .mtu: break
        }
    }

    private mutating func setUp(at now: HostInstant) {
        let found = services
        services = []
        let spoken = BulbDialect.spoken(by: found)
        let chosen = options.dialect ?? (spoken.count == 1 ? spoken.first : nil)
        guard let chosen, let control = chosen.control(in: found) else {
            let misfit: BulbIncompatibility =
                if let chosen {
                    .lacks(chosen, speaks: spoken)
                } else {
                    spoken.isEmpty ? .notABulb : .ambiguous(spoken)
                }
            core.report(.unfit(misfit))
            let missing = options.dialect.map { [$0.control.characteristic] } ?? []
            core.reject(missing: missing, at: now)
            return
        }
        bulb = Bulb(dialect: chosen, control: control, reports: chosen.reports(in: found))
        if let reports = chosen.listened(in: found) {
            if reports.clientConfigurationHandle == nil { core.report(.configurationMissing(reports)) }
            let kind: GATT.Subscription = reports.properties.contains(.notify) ? .notify : .indicate
            core.request(.subscribe, .subscribe(reports, kind))
        } else {
            begin(at: now)
        }
    }

    mutating func begin(at now: HostInstant) {
        guard let peer = core.peer, let bulb else { return }
        core.ready(at: now)
        while let step = core.nextStep(at: now) { handle(step, at: now) }
        core.report(.ready(peer, name: core.advertisedName, bulb.dialect, reportsState: bulb.reportsState))
    }

    private mutating func lost(_ requests: [Request]) {
        // What is not known to have arrived is written again when the link is back, unless something newer waits.
        var (power, light) = (bulb?.unsettledPower, bulb?.unsettledLight)
        var brightness = bulb?.unsettledBrightness
        for case .write(let command, _) in requests {
            switch command {
            case .power: power = command
            case .brightness: brightness = command
            default: light = command
            }
        }
        waitingBrightness = waitingBrightness ?? brightness
        waitingPower = waitingPower ?? power
        if cycle == nil { waitingLight = waitingLight ?? light }
        cycle?.showAgain()
        if bulb?.isNaming == true { atName = (power, light, brightness) }
        bulb = nil
    }

    private mutating func reported(_ report: DeviceLink.Report) {
        if let written = atName, report.state == .disconnected {
            asksName = false
            // It came as far as the question for the name, so what had been written before has arrived.
            if case .lost(.closedByPeer)? = report.reason {
                arrived(written.power, written.light, written.brightness)
            }
        }
        atName = nil
        core.report(.state(report))
    }

    private mutating func arrived(
        _ power: BulbCommand?, _ light: BulbCommand?, _ brightness: BulbCommand?
    ) {
        guard power != nil || light != nil || brightness != nil else { return }
        if waitingPower == power { waitingPower = nil }
        if waitingLight == light { waitingLight = nil }
        if waitingBrightness == brightness { waitingBrightness = nil }
        core.report(.settled)
    }

    private mutating func finish() {
        cycle = nil
        for command in [waitingPower, waitingLight, waitingBrightness] {
            if let command { core.report(.refused(command, .disconnected)) }
        }
        waitingPower = nil
        waitingLight = nil
        waitingBrightness = nil
        if wantsState { stateFailed(.failed(.disconnected)) }
        wantsName = false
    }
}
