// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionHub
import HTTPTypes
import Hummingbird
import OverflowArea
import OverflowAreaCompanion

extension HubAPI {
    /// The overflow area: who sends, what may be in it, and the hub's own beacon.
    var overflowRoutes: [Route] {
        let beacon = Schema(of: OverflowBeacon.self)
        return [
            Route(
                method: .get, path: "/overflow", name: "getOverflow",
                summary: "The senders of overflow areas now and before, and what the hub sends itself.",
                answer: .json(
                    "Both.",
                    .object([
                        Schema.Property(
                            name: "sources", about: "The senders, those that are heard now first.",
                            schema: .list(Schema(of: OverflowSource.self))),
                        Schema.Property(name: "beacon", about: "The hub's own.", schema: beacon),
                    ]))
            ) { _ in
                let (sources, beacon) = await hub.overflowState
                return .object { json in
                    json.key("sources")
                    json.array { json in for source in sources { source.write(into: &json) } }
                    json.key("beacon")
                    beacon.write(into: &json)
                }
            },
            Route(
                method: .get, path: "/overflow/services", name: "listOverflowServices",
                summary: "The services that may be in an overflow area, with the bits that they set.",
                answer: .json(
                    "The services.",
                    .object([
                        Schema.Property(
                            name: "items", about: "Those that people have added, then the known ones.",
                            schema: .list(Schema(of: OverflowServiceJSON.self)))
                    ]))
            ) { _ in
                let services = await hub.overflowServices
                return .object { json in
                    json.key("items")
                    json.array { json in for service in services { service.write(into: &json) } }
                }
            },
            Route(
                method: .post, path: "/overflow/beacon", name: "startOverflowBeacon",
                summary: "Advertises a payload as an iPhone in the background would.",
                body: Route.Body(
                    about: "What to say.",
                    schema: .object([
                        Schema.Property(
                            name: "payload", about: "Four octets.", schema: .octets),
                        Schema.Property(
                            name: "codec", about: "How they are put into the map.",
                            schema: .word(["v1", "v2"])),
                    ])),
                answer: .json("The beacon.", beacon), refusals: [.conflict]
            ) { input in
                guard case .text(let hexadecimal)? = input.member("payload"),
                    let octets = [UInt8](hexadecimal: hexadecimal),
                    let payload = OverflowPayload(octets: octets)
                else {
                    throw Problem(.unprocessableContent, "payload must have four octets, such as 01020304.")
                }
                let codec: OverflowCodec = input.member("codec") == .text("v2") ? .v2 : .v1
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.startBeacon(payload, codec)
                    })
            },
            Route(
                method: .delete, path: "/overflow/beacon", name: "endOverflowBeacon",
                summary: "Ends that, and answers when nothing of it is on the air any more.",
                answer: .empty("It is off.")
            ) { _ in
                await hub.endBeacon()
                return .empty
            },
        ]
    }
}
