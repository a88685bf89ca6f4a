// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

/// A number under which devices can open channels to an app.
///
/// Its task takes out the channels that devices open and ends with the listener, which ``close()`` stops.
struct ChannelDoor: Sendable {
    let listener: ChannelListener
    private let radio: Radio

    init(_ listener: ChannelListener, _ radio: Radio, _ opened: @escaping @Sendable (Channel) async -> Void) {
        self.listener = listener
        self.radio = radio
        Task(executorPreference: radio.executor) {
            // It throws when the radio is gone.
            do { for try await channel in listener.channels() { await opened(channel) } } catch {}
        }
    }

    func close() { Task(executorPreference: radio.executor) { [listener] in await listener.stop() } }
}
