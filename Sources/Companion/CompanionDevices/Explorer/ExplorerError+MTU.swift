// SPDX-License-Identifier: Apache-2.0

import BLEGATT
package import BluetoothLE
package import Companion

extension ExplorerError {
    /// Suspects the MTU when a link that was opened ends before the MTU is agreed; `nil` when that is hardly why.
    ///
    /// - Parameters:
    ///   - error: Why there is no link, though the device was asked for a larger MTU.
    ///   - radio: The radio.
    package init?(opening error: BluetoothError, on radio: Radio) async {
        guard case .connectFailed(let failure) = error, failure.mayComeOfTheMTU,
            // What keeps the timing of links to itself asks for an MTU whatever it is told.
            await radio.capabilities.contains(.connectionParameters)
        else { return nil }
        self = .mtuSuspected(error.description, isTimeout: false)
    }

    /// Suspects the MTU when a larger one was agreed, and nothing came after that; `nil` when that is hardly why.
    ///
    /// - Parameters:
    ///   - error: Why no service was found.
    ///   - connection: The link.
    init?(discovering error: BluetoothError, over connection: Connection) {
        guard connection.mtu > 23 else { return nil }
        switch error {
        case .disconnected(let failure) where failure.mayComeOfTheMTU:
            self = .mtuSuspected(error.description, isTimeout: false)
        case .timeout: self = .mtuSuspected(error.description, isTimeout: true)
        default: return nil
        }
    }
}

extension Connection {
    /// Finds what the device has, as the first thing that is asked of it.
    ///
    /// - Returns: What was found.
    /// - Throws: ``ExplorerError`` when the MTU may be why nothing was, ``BluetoothError``.
    func findServicesFirst() async throws -> GATT.FoundServices {
        do throws(BluetoothError) {
            return try await findServices()
        } catch {
            guard let fault = ExplorerError(discovering: error, over: self) else { throw error }
            throw fault
        }
    }
}

extension GATTTree {
    /// Discovers and reads everything, as the first thing that is asked of a device.
    ///
    /// - Parameter connection: The link.
    /// - Returns: The tree.
    /// - Throws: ``ExplorerError`` when the MTU may be why no service was found, ``BluetoothError``.
    package static func first(over connection: Connection) async throws -> GATTTree {
        do throws(BluetoothError) {
            return try await GATTTree(over: connection)
        } catch {
            guard let fault = ExplorerError(discovering: error, over: connection) else { throw error }
            throw fault
        }
    }
}

extension LinkError {
    /// Whether a device that is asked for an MTU may end a link like this: it hangs up, or falls silent.
    fileprivate var mayComeOfTheMTU: Bool { self == .closedByPeer || self == .supervisionTimeout }
}
