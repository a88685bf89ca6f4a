// SPDX-License-Identifier: Apache-2.0

/// What a platform must do to be the radio behind ``Radio``.
///
/// Requirements that a platform may lack have a default that throws ``BluetoothError/unsupported(_:)``.
package protocol RadioBackend: AnyObject, Sendable {
    /// Where tasks run with no change of threads; `nil` when there is no such place.
    nonisolated var executor: (any TaskExecutor)? { get }
    /// The clock by which the radio runs.
    nonisolated var clock: any RadioClock { get }
    /// What the radio can do.
    nonisolated var capabilities: RadioCapabilities { get async }
    /// Whether the radio can be used, now and whenever that changes; ends when the radio is closed.
    nonisolated func states() async -> RadioStateStream
    /// What the system kept while the app did not run.
    nonisolated var restoredState: RestoredState { get async }
    /// Feeds a scan until ``stop(_:)``; ends it when the radio stops listening.
    nonisolated func start(_ scan: Scan) async throws(BluetoothError)
    /// Feeds a scan no more, because nobody listens to it.
    nonisolated func stop(_ scan: Scan.ID)
    /// Opens a link to the peer that is heard first; done when the MTU is settled.
    nonisolated func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) async throws(BluetoothError) -> any ConnectionBackend
    /// Offers services and advertises.
    nonisolated func serve(_ description: ServerDescription) async throws(BluetoothError) -> any ServerBackend
    /// Lets peers open channels.
    nonisolated func listen(
        psm: UInt16?, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelListenerBackend
    /// Lets devices pair, or nobody.
    nonisolated func pairWhenAsked(_ agent: PairingAgent?) async throws(BluetoothError)
    /// The devices that keys are kept of.
    nonisolated func bonds() async throws(BluetoothError) -> [BondedPeer]
    /// Forgets the keys of a device.
    nonisolated func removeBond(of peer: Peer) async throws(BluetoothError) -> Bool
    /// Hides behind addresses that change, or no more.
    nonisolated func usePrivacy(_ isOn: Bool) async throws(BluetoothError)
    /// Closes every link and lets the radio go.
    nonisolated func close() async
}

extension RadioBackend {
    package nonisolated var executor: (any TaskExecutor)? { nil }
    package nonisolated var restoredState: RestoredState { get async { RestoredState() } }
    package nonisolated func serve(
        _ description: ServerDescription
    ) async throws(BluetoothError) -> any ServerBackend { throw .unsupported(.peripheral) }
    package nonisolated func listen(
        psm: UInt16?, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelListenerBackend { throw .unsupported(.channels) }
    package nonisolated func pairWhenAsked(_ agent: PairingAgent?) async throws(BluetoothError) {
        throw .unsupported(.pairing)
    }
    package nonisolated func bonds() async throws(BluetoothError) -> [BondedPeer] {
        throw .unsupported(.pairing)
    }
    package nonisolated func usePrivacy(_ isOn: Bool) async throws(BluetoothError) {
        throw .unsupported(.privacy)
    }
    package nonisolated func removeBond(of peer: Peer) async throws(BluetoothError) -> Bool {
        throw .unsupported(.pairing)
    }
}

/// A clock that radios and whoever lives beside them run by.
package protocol RadioClock: Sendable {
    /// The moment.
    var now: HostInstant { get }
    /// Waits until a moment has come, or throws `CancellationError`.
    func sleep(until deadline: HostInstant) async throws
    /// Something is being done elsewhere: a clock of tests stands still until ``release()``.
    func hold()
    /// What was being done elsewhere is done.
    func release()
}

extension RadioClock {
    package func hold() {}
    package func release() {}
}
