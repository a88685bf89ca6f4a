// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLEHostDriver
import BLESimulation
import BLETransport
import BluetoothLE

#if canImport(Darwin)
extension RadioChoice {
    /// The choices, for sentences.
    public static let choices =
        "corebluetooth, tcp:HOST:PORT, tcp-listen:HOST:PORT, serial:PATH[,BAUD] or sim"

    /// Reads what stands behind `corebluetooth`: nothing.
    static func coreBluetooth(_ rest: Substring) throws(RadioChoiceError) -> RadioChoice {
        guard rest.isEmpty else {
            throw .malformed("The radio corebluetooth is written without anything behind it.")
        }
        return .coreBluetooth(over: nil)
    }

    /// Opens the system's Bluetooth.
    static func openCoreBluetooth(
        _ address: TransportAddress?, _ openHost: (RadioChoice) async throws(RadioOpeningError) -> HostRadio
    ) async throws(RadioOpeningError) -> Radio {
        do throws(BluetoothError) { return try await .coreBluetooth() } catch {
            throw .radio(error, transport: nil)
        }
    }
}
#else
import VirtualPhone

extension RadioChoice {
    /// The choices, for sentences.
    public static let choices =
        "hci:N, bluez[:NAME], tcp:HOST:PORT, tcp-listen:HOST:PORT, serial:PATH[,BAUD] or sim"

    /// Reads what stands behind `corebluetooth`: nothing for the virtual air, or the controller of the virtual phone.
    static func coreBluetooth(_ rest: Substring) throws(RadioChoiceError) -> RadioChoice {
        guard !rest.isEmpty else { return .coreBluetooth(over: nil) }
        do throws(TransportError) {
            return .coreBluetooth(over: try TransportAddress(String(rest.dropFirst())))
        } catch {
            throw .malformed(error.description)
        }
    }

    /// Opens Core Bluetooth for Linux on a virtual phone with a radio of our own host.
    static func openCoreBluetooth(
        _ address: TransportAddress?, _ openHost: (RadioChoice) async throws(RadioOpeningError) -> HostRadio
    ) async throws(RadioOpeningError) -> Radio {
        let host = try await openHost(address.map { .hci($0) } ?? .simulation)
        let app = VirtualPhone(radio: host.radio).app()
        // What is begun there is the app's.
        let opening = app.launch {
            Task(executorPreference: host.radio.executor) { () async -> Result<Radio, BluetoothError> in
                do throws(BluetoothError) {
                    return .success(try await .coreBluetooth { await host.close() })
                } catch {
                    return .failure(error)
                }
            }
        }
        // It ends by itself: this app is allowed to use Bluetooth.
        do throws(BluetoothError) { return try await opening.value.get() } catch {
            throw .radio(error, transport: nil)
        }
    }
}
#endif
