// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
public import BluetoothLE
public import Companion

extension GATTTree {
    /// Discovers all services and reads all values.
    ///
    /// When the device does not answer, or the link is lost, the tree has what came before, and ``ending`` says where
    /// that was.
    ///
    /// - Parameter connection: The link.
    /// - Throws: ``BluetoothError`` when no service was found.
    public init(over connection: Connection) async throws(BluetoothError) {
        let found = try await connection.findServices()
        self.init(
            peer: connection.peer, mtu: connection.mtu, services: found.services, readings: [:],
            faults: found.faults)
        var left = markOurs()[...]
        if let ending = Ending(found.faults) {
            end(ending, left: left)
            return
        }
        while let handle = left.popFirst() {
            do throws(BluetoothError) {
                let (reading, ending) = try await Self.read(handle, over: connection)
                if let ending {
                    end(ending, reading, left: left)
                    return
                }
                set(reading, at: handle)
            } catch {
                guard let ending = Ending(handle, error) else { throw error }
                end(ending, left: left)
                return
            }
        }
    }

    /// Reads an attribute.
    ///
    /// - Parameters:
    ///   - handle: Its handle.
    ///   - connection: The link.
    /// - Returns: The value or its first part, or why the device does not give it, and the end of the tree when the first
    ///   part was the last that came.
    /// - Throws: ``BluetoothError`` when the link is lost or the device does not answer, and nothing came before.
    package static func read(
        _ handle: AttributeHandle, over connection: Connection
    ) async throws(BluetoothError) -> (Reading, Ending?) {
        do {
            let value = try await connection.readAsFarAsPossible(handle)
            guard let error = value.cutShortBy, let incomplete = value.incomplete else {
                return (.value(value.octets), nil)
            }
            return (.firstPart(value.octets, incomplete), Ending(handle, error))
        } catch .refused(let code) {
            return (.refused(code.description, code), nil)
        } catch .servicesChanged {
            // A device may say so of one attribute; if it is true of all, what is saved is still what was there.
            return (.refused(ATT.ErrorCode.databaseOutOfSync.description, .databaseOutOfSync), nil)
        } catch .badResponse {
            return (.refused("the answer makes no sense", nil), nil)
        }
    }
}

extension GATTTree.Ending {
    /// The end of a tree whose device has not answered, or whose link was lost; `nil` for errors that end no link.
    package init?(_ handle: AttributeHandle, _ error: BluetoothError) {
        switch error {
        case .timeout: self.init(handle, GATTRequestError.timeout)
        case .disconnected: self.init(handle, GATTRequestError.disconnected)
        default: return nil
        }
    }
}
