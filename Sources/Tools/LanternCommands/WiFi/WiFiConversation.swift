// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
import BLEWire
import BluetoothLE
import WiFiSet

/// A client session with one device, as a command leads it: say something, then listen to what comes.
struct WiFiConversation {
    /// How long to look for the device and to connect, in seconds.
    static let patience = Duration.seconds(10)
    /// Events that may wait for the person; then the radio waits.
    static let queueCapacity = 1024

    /// The device, as far as it has said who it is.
    struct Device: Hashable, Sendable {
        /// Its address.
        var address: BluetoothAddress
        /// Its name.
        var name: WireText?
        /// The MTU of the link, in octets.
        var mtu: Int
    }

    /// The device's address as the person gave it.
    let target: DeviceAddress
    private let runner: ClientRunner<WiFiSetClient>
    private let queue: EventQueue<WiFiSetEvent>
    private var waiting = FIFO<WiFiSetEvent>()
    private var last: DeviceLink.Report?
    private var wasFound = false

    /// Finds the device, holds the conversation and closes the link, however it ends.
    ///
    /// - Parameters:
    ///   - target: The device.
    ///   - radio: On what.
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - body: What to say and to listen to.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` when the time is over, and what the body throws.
    static func hold<Value: Sendable>(
        with target: DeviceAddress, on radio: any Radio, limit: Seconds? = nil,
        _ body: (inout WiFiConversation) async throws -> Value
    ) async throws -> Value {
        let options = WiFiSetClient.Options(
            target: target.target, retries: false, seed: .random(in: 0 ... .max))
        let runner = ClientRunner(WiFiSetClient(options: options), on: radio)
        let queue = EventQueue<WiFiSetEvent>(capacity: queueCapacity)
        // A task of its own: cancelling the command must not tear the link, but close it.
        let radioWork = Task {
            await runner.run { await queue.append($0) }
            await queue.finish()
        }
        let search = Task {
            try await Task.sleep(for: patience)
            await runner.update { client, now in
                if client.state == .scanning || client.state == .connecting { client.close(at: now) }
            }
        }
        let end = Task {
            guard let limit else { return false }
            try await Task.sleep(for: limit.duration)
            await runner.update { $0.close(at: $1) }
            return true
        }
        var conversation = WiFiConversation(target: target, runner: runner, queue: queue)
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            do { return .success(try await body(&conversation)) } catch { return .failure(error) }
        } onCancel: {
            Task { await runner.update { $0.close(at: $1) } }
        }
        search.cancel()
        end.cancel()
        await runner.update { $0.close(at: $1) }
        await queue.abandon()
        await radioWork.value
        if case .failure = result, (try? await end.value) == true, let limit {
            throw CommandError.nothingFound("It was not done within \(limit.text): try again with more time.")
        }
        return try result.get()
    }

    private init(
        target: DeviceAddress, runner: ClientRunner<WiFiSetClient>, queue: EventQueue<WiFiSetEvent>
    ) {
        self.target = target
        self.runner = runner
        self.queue = queue
    }

    /// Gives the session a command.
    ///
    /// - Parameter body: The command.
    func say(_ body: @Sendable (inout WiFiSetClient, HostInstant) -> Void) async { await runner.update(body) }

    /// The next thing that the session tells.
    ///
    /// - Returns: The event.
    /// - Throws: ``CommandError`` that says why there are no more.
    mutating func next() async throws -> WiFiSetEvent {
        while true {
            if let event = waiting.popFirst() {
                if case .state(let report) = event {
                    last = report
                    if report.state == .discovering { wasFound = true }
                }
                return event
            }
            guard let more = await queue.takeAll() else {
                try Task.checkCancellation()
                throw ending
            }
            for event in more { waiting.append(event) }
        }
    }

    /// Waits until the device is there and fits.
    ///
    /// - Parameter observe: Called for each event until then.
    /// - Returns: The device.
    /// - Throws: ``CommandError`` when it is not there or is another kind of device.
    mutating func ready(_ observe: (WiFiSetEvent) throws -> Void = { _ in }) async throws -> Device {
        while true {
            let event = try await next()
            try observe(event)
            if case .ready(let address, let name, let mtu) = event {
                return Device(address: address, name: name, mtu: mtu)
            }
        }
    }

    /// Why the session tells nothing more.
    private var ending: CommandError {
        switch last?.reason {
        case .wrongDevice(let missing)?:
            let names = missing.map(\.description).joined(separator: ", ")
            return .failed(
                "\(target) is not a WiFiSet device: it lacks \(names). Nothing was written. FlockFinder devices share "
                    + "the service; if this is a WiFiSet device, update its firmware.")
        case let reason? where reason != .closed: return .failed("It did not work: \(reason). Try again.")
        default:
            return wasFound
                ? .failed("The link to \(target) has ended. Try again.")
                : .nothingFound(
                    "The device \(target) was not found. Check that it is near, switched on and not connected to "
                        + "something else.")
        }
    }
}
