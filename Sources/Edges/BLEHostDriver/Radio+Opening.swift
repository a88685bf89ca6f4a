// SPDX-License-Identifier: Apache-2.0

public import BLEHost
public import BLETransport
public import BluetoothLE

extension Radio {
    /// Opens a radio of our own host stack.
    ///
    /// - Parameters:
    ///   - address: Where its controller is reached.
    ///   - configuration: How the host behaves.
    /// - Returns: The radio, started.
    /// - Throws: ``BluetoothError/radioUnavailable(_:)``.
    public static func open(
        _ address: TransportAddress, _ configuration: HostConfiguration = HostConfiguration()
    ) async throws(BluetoothError) -> Radio {
        let loop: TransportLoop
        do throws(TransportError) {
            loop = try TransportLoop()
        } catch {
            throw BluetoothError(error)
        }
        let host = HostRadio(configuration, loop: loop) { (loop) async throws(TransportError) in
            try await address.open(on: loop)
        }
        do throws(BluetoothError) {
            try await host.start()
        } catch {
            await host.close()
            throw error
        }
        return Radio(owning: host)
    }
}

extension BluetoothError {
    /// Why a transport cannot be opened, or is gone.
    init(_ error: TransportError) {
        if case .adapter(.notPermitted) = error {
            self = .unauthorized(error.reason)
        } else {
            self = .radioUnavailable(error.reason)
        }
    }
}
