// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A Bluetooth LE radio: the central and the peripheral role, the same over every platform.
///
/// `BLEHostDriver` makes one of our own host stack. All methods may be called from any task; cancelling the calling
/// task gives up what was asked for, and the call throws ``BluetoothError/cancelled``. What this radio cannot do is not
/// among its ``capabilities`` and throws ``BluetoothError/unsupported(_:)``.
///
/// Whoever opens a radio closes it: until ``close()`` its thread, its links and what it advertises go on, also when nobody holds it any
/// more. A debug build says on the standard error that one was forgotten.
public final class Radio: Sendable {
    package let backend: any RadioBackend
    /// Whether whoever holds it is to close it; not where the backend is held by somebody who does.
    private let isOwner: Bool
    private let isClosed = Atomic(false)

    package init(_ backend: any RadioBackend) {
        self.backend = backend
        isOwner = false
    }

    /// Makes the radio of a backend that nobody else closes.
    package init(owning backend: any RadioBackend) {
        self.backend = backend
        isOwner = true
    }

    #if DEBUG
    deinit {
        guard isOwner, !isClosed.load(ordering: .relaxed) else { return }
        var warning =
            "BluetoothLE: a Radio was let go before it was closed, so its thread and its links go on. Call `await radio.close()`.\n"
        warning.withUTF8 { _ = unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    #endif

    /// What this radio can do; some of it is known once the radio is on.
    public var capabilities: RadioCapabilities { get async { await backend.capabilities } }

    /// Where octets arrive; `nil` when the platform does not say.
    ///
    /// A task that prefers to run there (`Task(executorPreference: radio.executor)`) takes elements out of streams and
    /// answers with no change of threads. It must not block.
    public var executor: (any TaskExecutor)? { backend.executor }

    /// The moment on the radio's clock, for state machines that live beside it.
    public var now: HostInstant { backend.clock.now }

    /// Waits until a moment has come on the radio's clock.
    ///
    /// - Parameter deadline: The moment.
    /// - Throws: ``BluetoothError/cancelled``, and nothing else.
    public func sleep(until deadline: HostInstant) async throws(BluetoothError) {
        do {
            try await backend.clock.sleep(until: deadline)
        } catch {
            throw .cancelled
        }
    }

    /// Whether the radio can be used, now and whenever that changes; ends when the radio is closed.
    ///
    /// - Returns: The states, the present one first.
    public func states() async -> RadioStateStream { await backend.states() }

    /// What the system kept of an app's links and scan while the app did not run; nothing, unless the radio was opened for that.
    public var restoredState: RestoredState { get async { await backend.restoredState } }

    /// Listens for advertisers until the stream is dropped, its task is cancelled or the time is over.
    ///
    /// - Parameters:
    ///   - options: What to listen for.
    ///   - duration: How long, on the radio's clock; then the stream ends quietly. `nil` is as long as somebody listens.
    /// - Returns: What is heard; throws when the radio refuses to listen or goes off.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)`` and ``BluetoothError/unauthorized(_:)``.
    public func scan(
        _ options: ScanOptions = ScanOptions(), for duration: Duration? = nil
    ) async throws(BluetoothError) -> ScanStream {
        try await start(Scan(options, backend), for: duration)
    }

    /// Listens as a scan says, for a time.
    nonisolated(nonsending) func start(
        _ scan: Scan, for duration: Duration?
    ) async throws(BluetoothError) -> ScanStream {
        guard !Task.isCancelled else { throw .cancelled }
        let stream = ScanStream(scan.source)
        try await backend.start(scan)
        if let duration { scan.end(after: duration) }
        return stream
    }

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - peer: To whom.
    ///   - options: How.
    /// - Returns: The link, whose MTU is settled. It stays open until somebody closes it.
    /// - Throws: ``BluetoothError/connectFailed(_:)`` when it could not be opened, ``BluetoothError/alreadyConnected`` when there
    ///   is one to the same device.
    public func connect(
        to peer: Peer, _ options: ConnectOptions = ConnectOptions()
    ) async throws(BluetoothError) -> Connection { try await connect(toFirstOf: [peer], options) }

    /// Opens a link to whichever of several peers is heard first.
    ///
    /// - Parameters:
    ///   - peers: To whom; how many there may be is the radio's to say.
    ///   - options: How.
    /// - Returns: The link, whose MTU is settled. It stays open until somebody closes it.
    /// - Throws: ``BluetoothError/connectFailed(_:)`` when none could be opened.
    public func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions = ConnectOptions()
    ) async throws(BluetoothError) -> Connection {
        guard !Task.isCancelled else { throw .cancelled }
        guard !peers.isEmpty, Set(peers).count == peers.count else {
            throw .invalidArgument("Name one device or several different ones to connect to.")
        }
        return Connection(try await backend.connect(toFirstOf: peers, options))
    }

    /// Offers services and advertises; one server at a time.
    ///
    /// - Parameter description: What to offer and to advertise.
    /// - Returns: The running server. It runs until somebody stops it.
    /// - Throws: ``BluetoothError/refusedByRadio(_:)`` when the radio refuses, ``BluetoothError/tooLong(octets:limit:)``
    ///   when the advertisement does not fit, ``BluetoothError/invalidArgument(_:)`` when a server runs already.
    public func serve(_ description: ServerDescription) async throws(BluetoothError) -> Server {
        guard !Task.isCancelled else { throw .cancelled }
        return Server(try await backend.serve(description))
    }

    /// Lets peers open L2CAP channels, on all links; to be reached, advertise with ``serve(_:)``.
    ///
    /// - Parameters:
    ///   - psm: What the channels are for, 0x0001 to 0x00FF; `nil` chooses a free one from 0x0080 on.
    ///   - options: What this side takes on them.
    /// - Returns: The listener, whose channels should be taken out.
    /// - Throws: ``BluetoothError/invalidArgument(_:)`` when somebody listens there already.
    public func listen(
        psm: UInt16? = nil, _ options: ChannelOptions = ChannelOptions()
    ) async throws(BluetoothError) -> ChannelListener {
        ChannelListener(try await backend.listen(psm: psm, options))
    }

    /// Closes every link and lets the radio go; all streams end.
    ///
    /// It returns when that is done, also in a task that is cancelled.
    public func close() async {
        isClosed.store(true, ordering: .relaxed)
        // In a task of its own: a task that is cancelled does not wait, and the links would stay with their peers.
        await Task(executorPreference: backend.executor) { [backend] in await backend.close() }.value
    }
}
