// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import HubModel
import OverflowArea
import OverflowAreaCompanion

/// The overflow area: who sends, and what may be in it.
extension Engine {
    func performOverflow(_ request: EngineRequest) throws(HubError) {
        switch (request.method, request.path.count > 1 ? request.path[1] : nil) {
        case ("GET", nil):
            answer(request.id) { json in
                json.object { json in
                    json.key("sources")
                    json.array { json in for source in overflow.sources { source.write(into: &json) } }
                    json.key("beacon")
                    OverflowBeacon().write(into: &json)
                }
            }
        case ("GET", "services"):
            answerList(request.id, OverflowServiceJSON.all(with: kept.settings.overflow.services))
        case ("DELETE", "beacon"): answer(request.id)
        default:
            throw .notNow(
                "A page cannot advertise: the browser does not let it. Use a hub with a radio of its own.")
        }
    }
}
