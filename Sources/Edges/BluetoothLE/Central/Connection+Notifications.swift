// SPDX-License-Identifier: Apache-2.0

extension Connection {
    /// The values that a characteristic sends by itself.
    ///
    /// Subscribes, to notifications where the characteristic has them and to indications otherwise; when the last of its
    /// streams is gone (its loop was left, its task was cancelled), unsubscribes. Each call gives a stream of its own that
    /// gets every value.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic.
    ///   - duration: How long, from when the device has taken the subscription; then the stream ends quietly. `nil` is as long as
    ///     somebody listens.
    /// - Returns: The values; throws when the link is lost or the characteristic's service changes.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the characteristic sends nothing by itself.
    public func notifications(
        of characteristic: GATT.Characteristic, for duration: Duration? = nil
    ) async throws(BluetoothError) -> NotificationStream {
        let subscription: GATT.Subscription
        if characteristic.properties.contains(.notify) {
            subscription = .notify
        } else if characteristic.properties.contains(.indicate) {
            subscription = .indicate
        } else {
            throw .notOffered("this characteristic sends nothing by itself")
        }
        let (state, backend) = (backend.state, backend)
        let handle = characteristic.valueHandle
        let holder = state.subscriptions.makeHolder()
        let countdown = Countdown(on: backend.clock, backend.executor)
        // Listens before it subscribes, so that no value is missed.
        let source = state.values(of: handle) {
            countdown.stop()
            state.subscriptions.leave(handle, holder, on: backend)
        }
        let stream = NotificationStream(source)
        try await state.subscriptions.want(subscription, of: characteristic, for: holder, on: backend)
        if let duration { countdown.start(duration) { source.finish() } }
        return stream
    }
}
