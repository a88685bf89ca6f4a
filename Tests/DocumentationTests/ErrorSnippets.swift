// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver

// Listening to a device whatever happens to the link or the radio.
enum ErrorSnippets {
    static func keepListening(
        to peer: Peer, on radio: Radio, show: ([UInt8]) -> Void
    ) async throws(BluetoothError) {
        // snippet: keep
        while true {
            do throws(BluetoothError) {
                let connection = try await radio.connect(to: peer)
                for try await value in try await connection.notifications(of: .batteryLevel) { show(value) }
                return  // the link was closed here, or the task cancelled
            } catch .connectFailed, .disconnected, .timeout {
                try await radio.sleep(for: .seconds(2))
            } catch .radioUnavailable {
                for await state in await radio.states() where state == .ready { break }
            }
        }
        // end
    }
}
