// SPDX-License-Identifier: Apache-2.0

// What most programs do with a radio, begun and ended in one call.
extension Radio {
    /// Waits for a while on the radio's clock.
    ///
    /// - Parameter duration: How long.
    /// - Throws: ``BluetoothError/cancelled``, and nothing else.
    public func sleep(for duration: Duration) async throws(BluetoothError) {
        try await sleep(until: now + duration)
    }

    /// Waits until the radio can be used; returns at once when it can.
    ///
    /// - Throws: ``BluetoothError/cancelled``, and ``BluetoothError/radioUnavailable(_:)`` when the radio is closed.
    public nonisolated(nonsending) func waitUntilReady() async throws(BluetoothError) {
        guard await states().first(where: { $0 == .ready }) == nil else { return }
        throw Task.isCancelled ? .cancelled : .radioUnavailable("it was closed")
    }

    /// Finds a device: listens until one fits and has said all, and no longer.
    ///
    /// Its advertisement and its scan response are put together, so that its name and its services are there wherever it says them. The second
    /// of them is waited for half a second at most.
    ///
    /// - Parameters:
    ///   - options: Which device.
    ///   - limit: How long to listen.
    /// - Returns: What was heard of the first device that fits, with the strength of one of its PDUs; its ``Advertisement/peer`` is whom
    ///   to connect to.
    /// - Throws: ``BluetoothError/notFound`` when none was heard in time, ``BluetoothError/radioUnavailable(_:)`` and
    ///   ``BluetoothError/unauthorized(_:)``.
    public nonisolated(nonsending) func find(
        _ options: ScanOptions, within limit: Duration = .seconds(10)
    ) async throws(BluetoothError) -> Advertisement {
        guard !Task.isCancelled else { throw .cancelled }
        let scan = Scan(options, backend, merges: true)
        // Gone when this returns, and with it the scan.
        let stream = ScanStream(scan.source)
        try await backend.start(scan)
        let countdown = Countdown(on: backend.clock, executor)
        countdown.start(limit) { [source = scan.source] in source.finish(throwing: .notFound) }
        defer { countdown.stop() }
        guard let first = try await stream.first(where: { _ in true }) else {
            throw Task.isCancelled ? .cancelled : .radioUnavailable("it was closed")
        }
        guard scan.expectsMore(of: first.peer) else { return scan.merged(first) }
        scan.end(after: Scan.patience)
        var found = first
        do {
            while scan.expectsMore(of: first.peer),
                let next = try await stream.first(where: { $0.peer == first.peer })
            { found = next }
        } catch {
            // The time is over or the radio is off: what was heard is enough to say who it is.
        }
        guard !Task.isCancelled else { throw .cancelled }
        return scan.merged(found)
    }

    /// Listens for devices until the stream is dropped, its task is cancelled or the time is over, and reports each once.
    ///
    /// A device comes with its advertisement and its scan response put together, so that its name and its services are there wherever it
    /// says them. The second of them is waited for half a second at most.
    ///
    /// - Parameters:
    ///   - options: What to listen for; its ``ScanOptions/duplicates`` have no say.
    ///   - duration: How long, on the radio's clock; then the stream ends quietly. `nil` is as long as somebody listens.
    /// - Returns: The devices; throws when the radio refuses to listen or goes off.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` and ``BluetoothError/unauthorized(_:)``.
    public nonisolated(nonsending) func discover(
        _ options: ScanOptions = ScanOptions(), for duration: Duration? = nil
    ) async throws(BluetoothError) -> ScanStream {
        try await start(Scan(options, backend, discovers: true), for: duration)
    }

    /// Does something with the radio and closes it: when the body returns, when it throws, and when the task is cancelled, which ends
    /// what the body waits for.
    ///
    /// The radio can be opened again when this returns.
    ///
    /// - Parameter body: What to do; it runs where the caller does.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    public nonisolated(nonsending) func executeThenClose<Value, Failure: Error>(
        _ body: nonisolated(nonsending) (Radio) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await ending(self, after: body) { await $0.close() }
    }

    /// Opens a link, does something with it, and closes it: when the body returns, when it throws, and when the task is
    /// cancelled, which ends what the body waits for.
    ///
    /// The link is gone when this returns.
    ///
    /// - Parameters:
    ///   - peer: To whom.
    ///   - options: How.
    ///   - body: What to do; it runs where the caller does.
    /// - Returns: What the body returns.
    /// - Throws: ``BluetoothError/connectFailed(_:)`` when the link could not be opened, and what the body throws.
    @discardableResult
    public nonisolated(nonsending) func withConnection<Value>(
        to peer: Peer, _ options: ConnectOptions = ConnectOptions(),
        _ body: nonisolated(nonsending) (Connection) async throws -> Value
    ) async throws -> Value {
        try await connect(to: peer, options).closed(after: body)
    }

    /// Opens a link, does something with it that throws nothing but ``BluetoothError``, and closes it in any case.
    ///
    /// For a closure that says so: `{ connection throws(BluetoothError) in … }`.
    ///
    /// - Parameters:
    ///   - peer: To whom.
    ///   - options: How.
    ///   - body: What to do; it runs where the caller does.
    /// - Returns: What the body returns.
    /// - Throws: ``BluetoothError/connectFailed(_:)`` when the link could not be opened, and what the body throws.
    @discardableResult
    public nonisolated(nonsending) func withConnection<Value>(
        to peer: Peer, _ options: ConnectOptions = ConnectOptions(),
        _ body: nonisolated(nonsending) (Connection) async throws(BluetoothError) -> Value
    ) async throws(BluetoothError) -> Value {
        try await connect(to: peer, options).closed(after: body)
    }
}

extension Connection {
    /// Does something with the link and closes it, however that ends; whoever connects again right afterwards can.
    fileprivate nonisolated(nonsending) func closed<Value, Failure: Error>(
        after body: nonisolated(nonsending) (Connection) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await ending(self, after: body) { connection in
            // In a task of its own: a task that is cancelled does not wait.
            await Task(executorPreference: backend.executor) { await connection.disconnect() }.value
        }
    }
}

/// Does something and ends what it was done with: when the body returns, and when it throws.
private nonisolated(nonsending) func ending<Resource, Value, Failure: Error>(
    _ resource: Resource, after body: nonisolated(nonsending) (Resource) async throws(Failure) -> Value,
    _ end: nonisolated(nonsending) (Resource) async -> Void
) async throws(Failure) -> Value {
    do throws(Failure) {
        let value = try await body(resource)
        await end(resource)
        return value
    } catch {
        await end(resource)
        throw error
    }
}
