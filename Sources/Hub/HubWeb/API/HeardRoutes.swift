// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import HTTPTypes
import Hummingbird

extension HubAPI {
    /// All that the hub hears.
    var heardRoutes: [Route] {
        let id = Parameter.path("id", "The number of the device.", .integer(0...2_147_483_647))
        return [
            Route(
                method: .get, path: "/scan/devices", name: "listHeard",
                summary:
                    "All devices that the hub hears, with their signal; changes are told as events for 60 s.",
                answer: .json(
                    "The devices.",
                    .object([
                        Schema.Property(
                            name: "items", about: "In the order in which they were heard first.",
                            schema: .list(Shape.heardDevice)),
                        Schema.Property(
                            name: "limit",
                            about: "How many there are at most; those silent longest are left out.",
                            schema: .integer()),
                    ]))
            ) { _ in
                let devices = await hub.lookAtHeard()
                return .object { json in
                    json.key("items")
                    json.array { json in for device in devices { device.write(into: &json) } }
                    json.field("limit", hub.heardLimit)
                }
            },
            Route(
                method: .post, path: "/scan/keep", name: "keepScan",
                summary: "Says that a page looks at that list: changes are told for another 60 s.",
                answer: .empty("It is noted.")
            ) { _ in
                await hub.keepLooking()
                return .empty
            },
            Route(
                method: .get, path: "/scan/devices/{id}", name: "getHeard",
                summary: "One of these devices, with all that it advertises.", parameters: [id],
                answer: .json("The device.", Schema(of: HeardDeviceDetail.self))
            ) { input in
                let id = Int(try input.id())
                return .json(try await asking { () async throws(HubError) in try hub.heardDevice(id) })
            },
        ]
    }
}
