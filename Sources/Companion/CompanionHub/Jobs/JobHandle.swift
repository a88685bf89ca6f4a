// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import Companion
package import CompanionCore
package import LEDBulb
package import LEDBulbCompanion
package import NightlightCompanion

/// A job that goes on or has ended, for those who ask something of it.
///
/// All that is asked throws ``HubError/notFound(_:)`` when its end is no longer remembered.
package struct JobHandle<Machine: JobMachine & ~Copyable>: Sendable {
    /// Its number.
    package let id: Int64
    let host: JobHost

    /// How it is.
    package var shown: Machine.Shown { get async throws(HubError) { try await read { $0.shown } } }

    /// Handles that a page looks, or still does.
    ///
    /// - Returns: How it is.
    @discardableResult
    package func look(_ page: String) async throws(HubError) -> Machine.Shown {
        try await host.with(id) { (job: Job<Machine>, moment) in
            job.look(page, at: moment)
            return job.machine.shown
        }
    }

    /// Handles that a page looks no more; the last one ends it, once what is under way is done.
    package func leave(_ page: String) async throws(HubError) {
        try await host.with(id) { (job: Job<Machine>, moment) in job.leave(page, at: moment) }
    }

    /// Ends it, and returns when its link is gone.
    package func end(_ reason: String? = nil) async throws(HubError) { try await host.end(id, reason) }

    fileprivate func read<Value: Sendable>(
        _ body: @Sendable (borrowing Machine) throws(HubError) -> Value
    ) async throws(HubError) -> Value {
        try await host.with(id) { (job: Job<Machine>, _) throws(HubError) in try body(job.machine) }
    }

    fileprivate func update(
        isUsed: Bool = true, _ body: @Sendable (inout Machine, Moment) throws(HubError) -> Void
    ) async throws(HubError) -> Machine.Shown {
        try await host.update(id, isUsed: isUsed, body)
    }
}

extension JobHandle<BulbJob> {
    /// Gives the bulb a command.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    @discardableResult
    package func perform(_ command: BulbCommand) async throws(HubError) -> HubBulb {
        try await update { bulb, moment throws(HubError) in try bulb.perform(command, at: moment) }
    }

    /// Lets the bulb go through all hues until something else is asked of it, or the page is gone.
    ///
    /// - Parameter turn: How long a turn takes, in milliseconds.
    /// - Returns: How the bulb is then.
    /// - Throws: ``HubError`` that says why it cannot be.
    @discardableResult
    package func startCycle(turn: Int) async throws(HubError) -> HubBulb {
        try await update { bulb, moment throws(HubError) in try bulb.startCycle(turn: turn, at: moment)
        }
    }

    /// Ends the turns; the bulb keeps the hue that it has come to.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    @discardableResult
    package func stopCycle() async throws(HubError) -> HubBulb {
        try await update { bulb, moment throws(HubError) in try bulb.stopCycle(at: moment) }
    }
}

extension JobHandle<LampJob> {
    /// Has settings written.
    ///
    /// - Parameters:
    ///   - change: What is to be others.
    ///   - changes: What ``LampDashboard/changes`` was when the person looked; `nil` for whatever it is.
    ///   - number: The number of what waited for the lamp; `nil` for what a page wants now.
    /// - Returns: How the lamp is then.
    /// - Throws: ``HubError`` that says why it cannot be.
    @discardableResult
    package func change(
        _ change: LampChange, ifChanges changes: Int? = nil, waited number: Int? = nil
    ) async throws(HubError) -> LampDashboard {
        try await update(isUsed: number == nil) { lamp, moment throws(HubError) in
            try lamp.change(change, ifChanges: changes, waited: number, at: moment)
        }
    }

    /// Handles that all that waited for the lamp was asked of it.
    func noMoreChanges() async throws(HubError) {
        _ = try await update(isUsed: false) { lamp, moment throws(HubError) in
            lamp.noMoreChanges(at: moment)
        }
    }

    /// Shows a colour, which ends by itself.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - leds: On which LEDs, from 1.
    /// - Returns: How the lamp is then.
    /// - Throws: ``HubError`` that says why it cannot be.
    @discardableResult
    package func tryOut(_ color: RGBColor, on leds: [Int]) async throws(HubError) -> LampDashboard {
        try await update { lamp, moment throws(HubError) in
            try lamp.tryOut(color, on: leds, at: moment)
        }
    }

    /// Ends what is tried out.
    @discardableResult
    package func endProof() async throws(HubError) -> LampDashboard {
        try await update { lamp, moment throws(HubError) in try lamp.endProof(at: moment) }
    }

    /// Sets the clock, however far it is off.
    @discardableResult
    package func setClock() async throws(HubError) -> LampDashboard {
        try await update { lamp, moment throws(HubError) in try lamp.setClock(at: moment) }
    }
}

extension JobHandle<WiFiJob> {
    /// How far it is, what the device hears, folded, the strongest first, and how many networks hide their name.
    package var state: (setup: WiFiSetup, networks: [FoldedNetwork], hiddenCount: Int) {
        get async throws(HubError) { try await read { ($0.setup, $0.networks, $0.hiddenCount) } }
    }

    /// Has the device look for networks again.
    @discardableResult
    package func list() async throws(HubError) -> WiFiSetup {
        try await update { wifi, moment throws(HubError) in try wifi.list(at: moment) }
    }

    /// Has the device show itself.
    @discardableResult
    package func identify() async throws(HubError) -> WiFiSetup {
        try await update { wifi, moment throws(HubError) in try wifi.identify(at: moment) }
    }

    /// Sends credentials.
    ///
    /// - Parameters:
    ///   - secret: The credentials, which are made when they are sent: of what is passed on there would be copies that nobody
    ///     wipes.
    ///   - security: How the network is secured, if the page knows.
    /// - Returns: How far it is then.
    /// - Throws: ``HubError`` that says what is wrong with them, or why it cannot be now.
    @discardableResult
    package func send(
        _ secret: @autoclosure @Sendable () -> WiFiSecret, _ security: NetworkSecurity?
    ) async throws(HubError) -> WiFiSetup {
        try await update { wifi, moment throws(HubError) in
            try wifi.send(secret(), security, at: moment)
        }
    }
}

extension JobHandle<ExplorerJob> {
    /// How it is, and what it has, both of one moment.
    package var state: (explorer: HubExplorer, tree: GATTTree?) {
        get async throws(HubError) { try await read { ($0.explorer, $0.tree) } }
    }

    /// Reads a value.
    ///
    /// - Parameter handle: The handle of the value or descriptor.
    /// - Returns: The value or its first part, or why the device refuses it.
    /// - Throws: ``HubError`` when the device could not be asked.
    package func read(_ handle: AttributeHandle) async throws(HubError) -> ExplorerValue {
        try await value { explorer, request, moment throws(HubError) in
            try explorer.read(handle, for: request, at: moment)
        }
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - handle: The handle of the value or descriptor.
    ///   - isAnswered: Whether the device is to answer.
    /// - Returns: The value, or why the device refuses it.
    /// - Throws: ``HubError`` when the device could not be asked.
    package func write(
        _ octets: [UInt8], to handle: AttributeHandle, isAnswered: Bool
    ) async throws(HubError) -> ExplorerValue {
        try await value { explorer, request, moment throws(HubError) in
            try explorer.write(octets, to: handle, isAnswered: isAnswered, for: request, at: moment)
        }
    }

    /// Notes that somebody has confirmed that the device may be written to.
    func confirmWriting() async throws(HubError) {
        _ = try await update { explorer, _ throws(HubError) in explorer.confirmWriting() }
    }

    /// Subscribes to a value, or no longer.
    ///
    /// - Parameters:
    ///   - handle: The handle of the value.
    ///   - isOn: Whether it is wanted.
    /// - Returns: How it is then.
    /// - Throws: ``HubError`` when the device refuses, or sends nothing by itself.
    @discardableResult
    package func watch(_ handle: AttributeHandle, isOn: Bool) async throws(HubError) -> HubExplorer {
        _ = try await ask { explorer, request, moment throws(HubError) in
            try explorer.watch(handle, isOn: isOn, for: request, at: moment)
        }
        return try await shown
    }

    /// Finds and reads everything once more.
    ///
    /// - Throws: ``HubError`` when the device is not connected.
    @discardableResult
    package func refresh() async throws(HubError) -> HubExplorer {
        try await update { explorer, _ throws(HubError) in try explorer.refresh() }
    }

    /// Pairs with the device; what it shows or asks is shown or asked on the pages.
    ///
    /// - Throws: ``HubError`` that says why it cannot be.
    @discardableResult
    package func pair() async throws(HubError) -> HubExplorer {
        try await host.pair(id)
        return try await shown
    }

    /// Gives up the pairing that a page has begun.
    ///
    /// - Throws: ``HubError/notFound(_:)``.
    package func cancelPairing() async throws(HubError) { try await host.cancelPairing(id) }

    /// The values of the log, and how many of these there were since the job began.
    ///
    /// - Parameters:
    ///   - handle: Of which attribute; `nil` for all.
    ///   - number: Only values before this one; `nil` for all.
    ///   - limit: How many at most.
    /// - Returns: The values, the newest first; and their total.
    /// - Throws: ``HubError/notFound(_:)``.
    package func logged(
        of handle: Int? = nil, before number: Int? = nil, limit: Int = .max
    ) async throws(HubError) -> (values: [ExplorerValue], total: Int) {
        try await read { ($0.log.values(of: handle, before: number, limit: limit), $0.log.total(of: handle)) }
    }

    /// The file of what is known of the device.
    ///
    /// - Parameter heard: Says what was heard last of a device, by its number.
    /// - Returns: The octets of the file.
    /// - Throws: ``HubError`` before anything was found.
    func file(_ heard: @Sendable (Int) -> HeardDevice?) async throws(HubError) -> [UInt8] {
        try await host.with(id) { (job: Job<ExplorerJob>, moment) throws(HubError) in
            // Whoever saves it is at it.
            job.use(at: moment)
            return try job.machine.file(heard(job.job.device))
        }
    }

    /// The file of the log, the oldest value first.
    ///
    /// - Parameters:
    ///   - form: Which form; CSV when nobody says.
    ///   - handle: Whose values; all when `nil`.
    ///   - time: When that is.
    /// - Returns: The file.
    /// - Throws: ``HubError/notFound(_:)``.
    package func logFile(
        _ form: String?, of handle: Int?, at time: Timestamp
    ) async throws(HubError) -> NamedFile {
        try await read { $0.logFile(form, of: handle, at: time) }
    }

    private func ask(
        _ body: @Sendable (inout ExplorerJob, JobRequest, Moment) throws(HubError) -> Void
    ) async throws(HubError) -> JobAnswer {
        try await host.ask(id) { (job: Job<ExplorerJob>, request, moment) throws(HubError) in
            try job.update { explorer throws(HubError) in try body(&explorer, request, moment) }
        }
    }

    private func value(
        _ body: @Sendable (inout ExplorerJob, JobRequest, Moment) throws(HubError) -> Void
    ) async throws(HubError) -> ExplorerValue {
        guard case .value(let value) = try await ask(body) else { throw .noJob }
        return value
    }
}
