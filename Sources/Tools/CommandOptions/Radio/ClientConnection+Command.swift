// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import BluetoothLE
package import CommandIO
package import Companion
package import CompanionDevices

extension ClientConnection where Session: ~Copyable {
    /// Opens a connection for a command: shows how far it is, and says failures in sentences.
    ///
    /// - Parameters:
    ///   - session: The session; it looks for this device and does not come back to it.
    ///   - address: The device as the person has named it.
    ///   - radio: On what.
    ///   - phys: On what to look for it and to connect.
    ///   - limit: How long everything may take; `nil` for as long as it takes.
    ///   - progress: Where to show how far it is.
    ///   - wrongDevice: The sentence for a device that lacks something, and what it has.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError``, ``BluetoothError`` and what the body throws.
    package nonisolated(nonsending) static func open<Value: Sendable>(
        _ session: consuming sending Session, at address: DeviceAddress, on radio: Radio, phys: Set<PHY>,
        limit: Seconds? = nil, showing progress: ProgressLine,
        wrongDevice: ([BluetoothUUID], [BluetoothUUID]) -> String,
        _ body: nonisolated(nonsending) (inout ClientConnection) async throws -> Value
    ) async throws -> Value {
        progress.show("Looking for \(address)…")
        defer { progress.clear() }
        let notices: @Sendable (ConnectionNotice) -> Void = { notice in
            switch notice {
            case .state(.discovering): progress.show("Reading \(address)…")
            case .fault(let fault):
                progress.clear()
                // A note beside the output; that it cannot be read ends nothing.
                try? Output.standardError().line(
                    "lantern: the device sent something unusable: \(PrintableText.escaped(fault)).")
            default: break
            }
        }
        do {
            return try await open(
                session, on: radio, ConnectionOptions(phys: phys, limit: limit?.duration), notices: notices,
                body)
        } catch let failure as ConnectionError {
            throw CommandError(failure, of: address, wrongDevice: wrongDevice)
        }
    }
}

extension CommandError {
    /// Says why a connection has ended.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - address: The device as the person has named it.
    ///   - wrongDevice: The sentence for a device that lacks something, and what it has.
    package init(
        _ failure: ConnectionError, of address: DeviceAddress,
        wrongDevice: ([BluetoothUUID], [BluetoothUUID]) -> String
    ) {
        self =
            switch failure {
            case .notFound:
                .nothingFound(
                    "The device \(address) was not found. Check that it is near, switched on and not connected to "
                        + "something else.")
            case .wrongDevice(let missing, let having): .failed(wrongDevice(missing, having))
            case .failed(let reason): .failed("It did not work: \(reason). Try again.")
            case .linkLost: .failed("The link to \(address) has ended. Try again.")
            case .timeLimit(let limit):
                .nothingFound(
                    "It was not done within \(Seconds(limit).text). Try again, and allow more time.")
            }
    }
}
