// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
import HubModel

extension Hub {
    /// Begins the Wi-Fi set-up of a device.
    ///
    /// - Parameter id: The device.
    /// - Returns: How far it is.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package func beginWiFi(device id: Int) async throws(HubError) -> WiFiSetup {
        let (services, peer) = (board.services(id), try device(id).peer)
        let wifi = try await begin(with: id) { [weak self] radio in
            guard let self else { return nil }
            await pairings.personBegins(peer)
            return await protection(
                await settings.encryption.wifi, on: radio, begunBy: .person)
        } _: { table, device, moment in
            table.beginWiFi(device, services: services, at: moment)
        }
        return try await wifi.shown
    }
}
