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

    /// Finds a device: listens until one fits, and no longer.
    ///
    /// - Parameters:
    ///   - options: Which device.
    ///   - limit: How long to listen.
    /// - Returns: What was heard of it first that makes it fit; its ``Advertisement/peer`` is whom to connect to.
    /// - Throws: ``BluetoothError/notFound`` when none was heard in time, ``BluetoothError/radioUnavailable(_:)`` and
    ///   ``BluetoothError/unauthorized(_:)``.
    public nonisolated(nonsending) func find(
        _ options: ScanOptions, within limit: Duration = .seconds(10)
    ) async throws(BluetoothError) -> Advertisement {
        guard !Task.isCancelled else { throw .cancelled }
        let scan = Scan(options, backend)
        // Gone when this returns, and with it the scan.
        let stream = ScanStream(scan.source)
        try await backend.start(scan)
        let countdown = Countdown(on: backend.clock, executor)
        countdown.start(limit) { [source = scan.source] in source.finish(throwing: .notFound) }
        defer { countdown.stop() }
        if let found = try await stream.first(where: { _ in true }) { return found }
        throw Task.isCancelled ? .cancelled : .radioUnavailable("it was closed")
    }

    /// Opens a link, does something with it, and closes it: when the body returns, when it throws, and when the task is
    /// cancelled, which ends what the body waits for.
    ///
    /// - Parameters:
    ///   - peer: To whom.
    ///   - options: How.
    ///   - body: What to do; it runs where the caller does.
    /// - Returns: What the body returns.
    /// - Throws: ``BluetoothError/connectFailed(_:)`` when the link could not be opened, and what the body throws.
    public nonisolated(nonsending) func withConnection<Value>(
        to peer: Peer, _ options: ConnectOptions = ConnectOptions(),
        _ body: nonisolated(nonsending) (Connection) async throws -> Value
    ) async throws -> Value {
        let connection = try await connect(to: peer, options)
        do {
            let value = try await body(connection)
            await connection.disconnect()
            return value
        } catch {
            await connection.disconnect()
            throw error
        }
    }
}
