// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import CompanionDevices
import CompanionText
import Nightlight
import NightlightCompanion
import NightlightDevices

// snippet: companion-lamp
/// Gives the button of a lamp another colour; returns all that there is to say of the button.
func setButton(_ color: RGBColor, of lamp: Peer, on radio: Radio) async throws -> [String] {
    let client = NightlightClient(options: .init(target: .peer(lamp)))
    let state = try await ClientConnection.open(client, on: radio) { connection in
        let state = try await connection.lamp()
        guard state.values.buttonColor != color else { return state }
        return try await connection.set([.buttonColor(color)], of: lamp)
    }
    return LampStateText(state).buttonRows.map { "\($0.title): \($0.text.plain)" }
}
// end
