// SPDX-License-Identifier: Apache-2.0

package import Companion
import CompanionCore
import HubModel
package import LEDBulb
package import LEDBulbCompanion

extension Hub {
    /// Takes a bulb in hand for a page: over the link that another page has, if one has it.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - page: The name of the page, which it has given itself.
    ///   - dialect: What it speaks; `nil` for what somebody has chosen before, else for what it shows.
    ///   - isFoundOut: Whether a choice of before does not count.
    /// - Returns: How it is.
    /// - Throws: ``HubError`` that says why it cannot be now.
    package func beginBulb(
        device id: Int, for page: String = "", speaking dialect: BulbDialect? = nil,
        findsOut isFoundOut: Bool = false
    ) async throws(HubError) -> HubBulb {
        let address = try device(id).peer.plain
        let wanted = isFoundOut ? nil : dialect ?? kept.settings.bulbs.dialect(of: address)
        let isChosen = isFoundOut || dialect != nil
        let bulb = try await join { table, moment in
            table.joinBulb(id, for: page, speaking: wanted, isChosen: isChosen, at: moment)
        } orBegin: { () throws(HubError) in
            try await begin(with: id) { table, device, moment in
                let bulb = table.beginBulb(device, speaking: wanted, at: moment)
                bulb.look(page, at: moment)
                return bulb
            }
        }
        return try await bulb.shown
    }
}
