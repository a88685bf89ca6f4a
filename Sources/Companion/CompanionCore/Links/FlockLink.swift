// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BLEWire
package import Companion
import FlockFinder
package import FlockFinderCompanion

/// The link to a FlockFinder, which is kept until it is ended: what is shown of the device, what is told, commands and their answers.
///
/// ```
/// session ─► what comes is stored ─► report ─► this ─► events, how the device is, answers
///                                    command ─► this ─► orders for the session
/// ```
///
/// The session has its own machine, `FlockFinderClient`; whoever hosts this runs it, and gives this each report once it is stored.
package struct FlockLink: Sendable {
    /// What comes of it.
    package enum Output: Sendable {
        /// Something to tell.
        case event(FlockReport)
        /// How the device is has changed: see ``show(on:)``.
        case changed
        /// The device has shown that it is a FlockFinder, or is none.
        case proved(isFlockFinder: Bool)
        /// The session is to write a command.
        case send(WireText)
        /// The session is to have the live stream, or no more.
        case setStream(Bool)
        /// A command has come to an end.
        case answered(JobRequest, Result<CommandAnswer, HubError>)
    }

    /// How long a device is looked for before it is said not to be heard, in seconds.
    private static var patience: UInt64 { 10 }
    /// Objects of the live stream, and what cannot be used, that are told in a second.
    private static var reportsPerSecond: Int { 100 }

    private var shown: (link: HubDevice.Link, reason: String?, nextTry: Timestamp?, since: Timestamp?) = (
        .connecting, nil, nil, nil
    )
    private var isStreaming: Bool?
    /// What came since it was shown last, and whether what came before counts no more.
    private var counts = (received: 0, refused: 0, areNew: false)
    private var lastReceived: Timestamp?
    private var lastHeard: Timestamp?
    private var state = DeviceLink.State.bluetoothOff
    private var wasConnected = false
    private var isEnded = false
    /// What the device lacks, which stays said when its link is ended for that.
    private var lack: String?
    /// Until when it is looked for.
    private var searchEnd: HostInstant?
    private var exchange: FlockExchange?
    /// The second in which objects were told, and how many.
    private var budget: (second: Int64, used: Int) = (0, 0)
    private var outputs = FIFO<Output>()
    private var hasChanged = false
    /// Whether the radio has had no room for it the last time.
    package private(set) var wasRefusedForRoom = false

    /// Makes the link to a device that is about to be looked for.
    package init() {}

    /// Whether the device listens.
    package var isConnected: Bool { state == .connected }

    /// When to call ``deadlineReached(at:)`` at the latest.
    package var nextDeadline: HostInstant? { .earliest(exchange?.deadline, searchEnd) }

    /// The next thing that comes of it.
    package mutating func nextOutput() -> Output? {
        guard hasChanged else { return outputs.popFirst() }
        // Whoever gets an answer finds the device as it is then.
        hasChanged = false
        return .changed
    }

    /// Shows on a device how its link is.
    package mutating func show(on device: inout HubDevice) {
        (device.link, device.reason) = (shown.link, shown.reason)
        (device.nextTry, device.connectedSince) = (shown.nextTry, shown.since)
        if let isStreaming { device.isStreaming = isStreaming }
        if counts.areNew { (device.received, device.refused) = (0, 0) }
        device.received += counts.received
        device.refused += counts.refused
        counts = (0, 0, false)
        if let lastReceived { device.lastReceived = lastReceived }
        if let lastHeard { device.lastHeard = lastHeard }
        (lastReceived, lastHeard) = (nil, nil)
    }

    // MARK: What comes

    /// Takes what the session has reported, once it is stored.
    package mutating func receive(_ report: FlockReport, at moment: Moment) {
        switch report.content {
        case .state(let change):
            guard !isEnded else { return }
            outputs.append(.event(report))
            receive(change.report, at: report.time, moment)
        case .detection: receiveDetection(at: moment)
        case .parseError:
            refuse(at: moment)
            tell(report, at: moment)
        case .stream(let object):
            answer(object, at: moment)
            hear(at: moment)
            tell(report, at: moment)
        case .command(let written):
            if exchange?.command == written.command { noteWritten(written.failure, at: moment) }
            outputs.append(.event(report))
        case .notice(let notice):
            outputs.append(.event(report))
            if case .characteristicsMissing = notice.advice {
                lack = notice.advice.description
                outputs.append(.proved(isFlockFinder: false))
            }
        }
    }

    /// Handles that a detection came, and is stored.
    package mutating func receiveDetection(at moment: Moment) {
        counts.received += 1
        lastReceived = moment.time
        hear(at: moment)
    }

    /// Handles that something came that cannot be used, and was told already.
    package mutating func refuse(at moment: Moment) {
        counts.refused += 1
        hear(at: moment)
    }

    private mutating func hear(at moment: Moment) {
        if isConnected { lastHeard = moment.time }
        hasChanged = true
    }

    private mutating func tell(_ report: FlockReport, at moment: Moment) {
        let second = moment.time.milliseconds / 1000
        if budget.second != second { budget = (second, 0) }
        budget.used += 1
        if budget.used <= Self.reportsPerSecond { outputs.append(.event(report)) }
    }

    private mutating func receive(_ report: DeviceLink.Report, at time: Timestamp, _ moment: Moment) {
        state = report.state
        searchEnd = state == .scanning ? moment.now.advanced(bySeconds: Self.patience) : nil
        (shown.reason, shown.nextTry) = (nil, nil)
        if state != .connected { shown.since = nil }
        switch state {
        case .connected:
            (shown.link, shown.since) = (.connected, time)
            (wasConnected, wasRefusedForRoom) = (true, false)
            outputs.append(.proved(isFlockFinder: true))
        case .connecting, .discovering: shown.link = .connecting
        case .scanning: shown.link = wasConnected ? .lost : .connecting
        case .disconnected:
            wasRefusedForRoom = report.reason?.isForWantOfRoom ?? false
            (shown.link, shown.reason) = (.lost, report.reason?.sentence)
            shown.nextTry = report.retryMilliseconds.map {
                Timestamp(milliseconds: time.milliseconds + Int64(clamping: $0))
            }
        case .bluetoothOff, .unauthorized: (shown.link, shown.reason) = (.lost, "The radio cannot be used.")
        }
        hasChanged = true
    }

    // MARK: Ends

    /// Handles that its session has ended, and is begun anew.
    ///
    /// - Parameters:
    ///   - reason: Why, in a sentence, where that is no matter of the link.
    ///   - moment: The moment.
    package mutating func interrupt(_ reason: String? = nil, at moment: Moment) {
        (state, searchEnd) = (.bluetoothOff, nil)
        fail(at: moment)
        guard let reason, !isEnded else { return }
        (shown.link, shown.reason) = (.lost, reason)
        hasChanged = true
    }

    /// Ends it: what its session says of its state counts no more.
    package mutating func end(at moment: Moment) {
        guard !isEnded else { return }
        (isEnded, searchEnd) = (true, nil)
        fail(at: moment)
        (shown, isStreaming) = ((.none, lack, nil, nil), false)
        hasChanged = true
    }

    private mutating func fail(at moment: Moment) {
        finish(.failure(.notNow("The link to the device has ended. Try again when it is back.")), at: moment)
    }

    // MARK: Commands

    /// What is said when a device is to do something and is not connected.
    package static let notConnected = HubError.notNow(
        "The device is not connected. Connect to it first.")

    /// Checks that a device knows a command.
    ///
    /// - Throws: ``HubError/badValue(_:)`` when it does not.
    package static func check(_ command: WireText) throws(HubError) {
        guard !FlockFinderCommand.all.contains(command) else { return }
        let all = FlockFinderCommand.all.map { $0.string }.joined(separator: ", ")
        throw .badValue("The device does not know this command. It knows \(all).")
    }

    /// Has a command written; its answer comes with the request.
    ///
    /// - Throws: ``HubError`` when the device is not connected, or another command waits.
    package mutating func send(
        _ command: WireText, for request: JobRequest, at moment: Moment
    ) throws(HubError) {
        guard isConnected, !isEnded else { throw Self.notConnected }
        guard exchange == nil else {
            throw .notNow("The device is still answering another command. Try again in a moment.")
        }
        let begun = FlockExchange(command, for: request, at: moment.now)
        exchange = begun
        outputs.append(begun.turnsStream.map { .setStream($0) } ?? .send(command))
    }

    private mutating func noteWritten(_ failure: GATTRequestError?, at moment: Moment) {
        guard let failure else {
            exchange?.noteWritten(at: moment.now)
            return
        }
        finish(.failure(.notNow("The command could not be written: \(failure.description).")), at: moment)
    }

    /// Takes what the device says; it may overtake the word that the command was written.
    private mutating func answer(_ object: FlockStreamObject, at moment: Moment) {
        guard let exchange else { return }
        if let refusal = object.refusal {
            finish(
                .failure(.notNow("The device does not know the command: \(refusal.shortened).")), at: moment)
        } else if exchange.turnsStream == nil, let status = object.status {
            finish(.success(status), at: moment)
        }
    }

    /// Does what is due.
    package mutating func deadlineReached(at moment: Moment) {
        if let end = searchEnd, end <= moment.now {
            searchEnd = nil
            (shown.link, shown.reason) = (.lost, "It is not heard. Bring it near and switch it on.")
            hasChanged = true
        }
        if let exchange, exchange.deadline <= moment.now { finish(exchange.silence, at: moment) }
    }

    private mutating func finish(_ result: Result<String, HubError>, at moment: Moment) {
        guard let ended = exchange else { return }
        exchange = nil
        switch result {
        case .failure(let fault): outputs.append(.answered(ended.request, .failure(fault)))
        case .success(let text):
            if let isOn = ended.turnsStream { isStreaming = isOn }
            if ended.command == FlockFinderCommand.reset { counts = (0, 0, true) }
            hasChanged = true
            let milliseconds = Int(clamping: moment.now.microseconds(since: ended.begun) / 1000)
            outputs.append(
                .answered(ended.request, .success(CommandAnswer(text: text, milliseconds: milliseconds))))
        }
    }
}

extension DeviceLink.Reason {
    /// The reason as a sentence.
    fileprivate var sentence: String {
        let text = description
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// Whether the radio has no room for another link.
    fileprivate var isForWantOfRoom: Bool {
        // Spec: Core v5.4, Vol 1, Part F, 1.3: memory capacity exceeded, connection limit exceeded.
        if case .connectFailed(.controller(let status)) = self {
            [0x07, 0x09].contains(status)
        } else {
            false
        }
    }
}
