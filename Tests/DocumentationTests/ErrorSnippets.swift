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
                try await radio.withConnection(to: peer) { connection throws(BluetoothError) in
                    for try await value in try await connection.notifications(of: .batteryLevel) {
                        show(value)
                    }
                }
                return  // the task was cancelled, or the radio closed
            } catch {
                switch error {
                case .connectFailed, .disconnected, .timeout: try await radio.sleep(for: .seconds(2))
                case .radioUnavailable: try await radio.waitUntilReady()
                default: throw error
                }
            }
        }
        // end
    }
}
