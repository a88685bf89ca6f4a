// SPDX-License-Identifier: Apache-2.0

/// What a platform must do to be the channel behind ``Channel``.
package protocol ChannelBackend: AnyObject, Sendable {
    nonisolated var description: ChannelDescription { get }
    /// The SDUs that come.
    nonisolated var received: SDUStream { get }
    nonisolated var ending: Ending<ChannelError> { get }
    /// Sends an SDU that is not longer than the MTU, when there is room for it.
    nonisolated func send(_ sdu: [UInt8]) async throws(BluetoothError)
    /// Closes the channel; done when it is closed or the task is cancelled.
    nonisolated func close() async
}

/// What a platform must do to be the listener behind ``ChannelListener``.
package protocol ChannelListenerBackend: AnyObject, Sendable {
    nonisolated var psm: UInt16 { get }
    nonisolated var channels: ChannelStream { get }
    nonisolated func stop() async
}
