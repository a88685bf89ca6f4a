// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import BluetoothLE
import Companion
import CompanionDevices
package import HubModel

/// The one radio of a hub: opens it, keeps it, listens without end, and says in plain words what is wrong with it.
///
/// ```
/// opening ─► listening ─► lost, refused or deaf ─► closed ─► opening (at once, then after 1, 2, 4 … 30 s)
/// ```
///
/// A scan that was busy and then is silent for a minute is begun anew; when that does not help, the radio is opened
/// anew. Whoever has something to do on the radio waits for it with ``usable()``.
package actor HubRadio {
    /// How long it waits for what.
    package struct Patience: Sendable {
        /// How long a scan that was busy may be silent.
        package var silence = Duration.seconds(60)
        /// How often that is looked at.
        package var look = Duration.seconds(5)
        /// The longest time between two tries to open the radio.
        package var longestRetry = Duration.seconds(30)

        /// Makes the usual patience.
        package init() {}
    }

    /// How the radio is; links are counted by whoever opens them.
    package private(set) var state: HubRadioState
    private let source: any HubRadioSource
    private let clock: HubClock
    private let patience: Patience
    private let board: DeviceRegistry
    private let detector: HubDetector?
    private let overflow: HubOverflow?
    private let pairings: PairingCoordinator?
    private var radio: Radio?
    private var isOver = false
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastWaiting = 0
    /// The wait for the next try to open the radio.
    private var pause: Task<Void, Never>?
    /// The scan that runs.
    private var scan: Task<BluetoothError?, Never>?

    /// Makes a radio that is not open.
    package init(
        _ source: any HubRadioSource, board: DeviceRegistry, detector: HubDetector? = nil,
        overflow: HubOverflow? = nil, pairings: PairingCoordinator? = nil,
        clock: HubClock = .system, patience: Patience = Patience()
    ) {
        self.source = source
        self.board = board
        self.detector = detector
        self.overflow = overflow
        self.pairings = pairings
        self.clock = clock
        self.patience = patience
        state = HubRadioState(
            name: source.name, condition: .missing, title: HubRadioState.openingTitle,
            text: "This takes a few seconds.", maximumConnections: source.maximumConnections)
    }

    /// Keeps the radio until the task is cancelled; then it is closed.
    package func run() async {
        var delay = Duration.seconds(1)
        while !Task.isCancelled {
            let trouble: RadioError
            let reports = board.reportCount
            do throws(RadioError) {
                let (name, radio) = try await source.open()
                state.name = name
                state.lacks = HubRadioState.Lack.all(in: await radio.capabilities)
                let ended = await use(radio)
                self.radio = nil
                await withoutCancellation { await radio.close() }
                guard let ended else { break }
                trouble = ended
            } catch {
                trouble = error
            }
            guard !Task.isCancelled else { break }
            // Opened anew at once only when it had heard something: one that opens and fails each time is not asked without end.
            let hadHeard = board.reportCount != reports
            if hadHeard { delay = .seconds(1) }
            report(trouble, nextTry: hadHeard ? nil : delay)
            guard !hadHeard else { continue }
            await wait(delay)
            delay = min(delay * 2, patience.longestRetry)
        }
        isOver = true
        resumeAll()
    }

    /// Tries to open the radio at once, if it is not open.
    package func retry() { pause?.cancel() }

    /// Waits until the radio can be used.
    ///
    /// - Returns: The radio; `nil` when the task is cancelled or the hub ends.
    package func usable() async -> Radio? {
        while true {
            if isOver || Task.isCancelled { return nil }
            if let radio { return radio }
            lastWaiting += 1
            let number = lastWaiting
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if Task.isCancelled { continuation.resume() } else { waiting[number] = continuation }
                }
            } onCancel: {
                Task { await self.resume(number) }
            }
        }
    }

    /// Handles that the radio has no room for another link, or has again.
    package func note(isFull: Bool) {
        guard radio != nil else { return }
        if isFull {
            state.condition = .full
            state.title = "The radio has no room for another connection"
            state.text = "It holds as many as it can. Disconnect a device, or use another adapter."
        } else if state.condition == .full {
            beScanning()
        }
    }

    /// The radio, while it can be used.
    var current: Radio? { radio }

    /// Has whoever asks people answer anew for devices that pair: what it can keep is another.
    func renewAgent() async { if let radio { await answer(on: radio) } }

    private func answer(on radio: Radio) async {
        // One that cannot pair is good for all else.
        if let pairings { try? await radio.pairWhenAsked(await pairings.agent(begunBy: .device, on: radio)) }
    }

    private func resume(_ number: Int) { waiting.removeValue(forKey: number)?.resume() }

    private func resumeAll() {
        let resumed = waiting.values
        waiting = [:]
        for continuation in resumed { continuation.resume() }
    }

    private func report(_ trouble: RadioError, nextTry: Duration?) {
        state.condition = trouble.condition
        state.title = trouble.title
        state.text = trouble.text
        state.commands = trouble.commands
        state.nextTry = nextTry.map {
            Timestamp(milliseconds: clock.now().milliseconds + Int64($0 / .milliseconds(1)))
        }
    }

    private func beScanning() {
        state.condition = .scanning
        state.title = "Scanning"
        state.text = ""
        state.commands = []
        state.nextTry = nil
    }

    private func wait(_ delay: Duration) async {
        let pause = Task { [clock] in
            // An error says that the wait is over.
            do { try await clock.sleep(delay) } catch {}
        }
        self.pause = pause
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        self.pause = nil
    }
}

// MARK: Listening

extension HubRadio {
    /// Listens until the radio is gone.
    ///
    /// - Returns: What has become of it; `nil` when the task is cancelled.
    private func use(_ radio: Radio) async -> RadioError? {
        await answer(on: radio)
        self.radio = radio
        beScanning()
        resumeAll()
        return await withTaskGroup(of: RadioError?.self) { group in
            group.addTask { await Self.watch(radio) }
            group.addTask { await self.listen(on: radio) }
            group.addTask { await self.watchForSilence() }
            let trouble = await group.next() ?? nil
            group.cancelAll()
            return trouble
        }
    }

    /// Waits until the radio is off.
    private static func watch(_ radio: Radio) async -> RadioError? {
        for await state in await radio.states() {
            switch state {
            case .ready: continue
            case .unauthorized: return .forbidden
            default: return .lost
            }
        }
        return Task.isCancelled ? nil : .lost
    }

    /// Listens without end; a scan that the radio refuses is tried again.
    private func listen(on radio: Radio) async -> RadioError? {
        var delay = Duration.seconds(1)
        while !Task.isCancelled {
            let scan = Task(executorPreference: radio.executor) {
                [board, detector, overflow, clock] () -> BluetoothError? in
                do throws(BluetoothError) {
                    for try await advertisement in try await radio.scan() {
                        board.receive(advertisement, at: clock.now())
                        detector?.receive(advertisement)
                        overflow?.receive(advertisement)
                    }
                    return nil
                } catch {
                    return error
                }
            }
            self.scan = scan
            let error = await withTaskCancellationHandler {
                await scan.value
            } onCancel: {
                scan.cancel()
            }
            self.scan = nil
            switch error {
            // Begun anew by the watch for silence, or over.
            case nil, .cancelled: delay = .seconds(1)
            case .unauthorized: return .forbidden
            case .refusedByRadio(let why):
                report(.refused(why), nextTry: delay)
                await wait(delay)
                delay = min(delay * 2, patience.longestRetry)
                if !Task.isCancelled { beScanning() }
            default: return .lost
            }
        }
        return nil
    }

    /// Begins the scan anew when it has gone deaf.
    ///
    /// - Returns: That the radio is to be opened anew, when that does not help; `nil` when the task is cancelled.
    private func watchForSilence() async -> RadioError? {
        var total = board.reportCount
        var heard = 0
        // Counted, not measured: the clock may be set.
        var silence = Duration.zero
        var wasRestarted = false
        while !Task.isCancelled {
            do { try await clock.sleep(patience.look) } catch { break }
            let new = board.reportCount - total
            total += new
            if new > 0 {
                heard += new
                silence = .zero
                if heard >= Self.busy { wasRestarted = false }
                continue
            }
            silence += patience.look
            guard silence >= patience.silence, heard >= Self.busy || wasRestarted else { continue }
            state.restarts += 1
            state.lastRestart = clock.now()
            if wasRestarted { return .deaf }
            (wasRestarted, heard, silence) = (true, 0, .zero)
            scan?.cancel()
        }
        return nil
    }

    /// From how many reports on a scan counts as busy, so that its silence means something.
    private static let busy = 10
}

extension RadioError {
    static let lost = RadioError(
        .missing, title: "The radio is gone",
        text: "It was switched off or unplugged. Switch it on, or plug it in; it is used again by itself.")
    static let deaf = RadioError(
        .missing, title: "The radio hears nothing any more",
        text:
            "It was busy and has fallen silent, so it is being opened again. If this happens again, unplug it and plug it in."
    )
    static let forbidden = RadioError(
        .forbidden, title: "Bluetooth is not allowed",
        text: "Allow this program to use Bluetooth in the system’s settings; it is used again by itself.")

    static func refused(_ why: String) -> RadioError {
        RadioError(
            .busy, title: "The radio does not listen",
            text: "It refused \(why). Another program may be using it: end that one.")
    }
}

extension HubRadioState.Lack {
    /// What a radio lacks of what pages show.
    static func all(in capabilities: RadioCapabilities) -> [Self] {
        allCases.filter { lack in
            let wanted: RadioCapability =
                switch lack {
                case .advertisedOctets: .advertisedOctets
                case .modulation: .phy
                case .timing: .connectionParameters
                case .linkStrength: .readRSSI
                case .pairing: .pairing
                }
            return !capabilities.contains(wanted)
        }
    }
}

extension HubRadioState {
    static var openingTitle: String { "The radio is being opened" }
    /// Whether nothing is known of it yet.
    package var isBeingOpened: Bool { title == Self.openingTitle }
}
