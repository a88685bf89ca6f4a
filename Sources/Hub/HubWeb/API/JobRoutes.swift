// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import CompanionText
import HTTPTypes
import Hummingbird

extension HubAPI {
    static let jobID = Parameter.path("id", "The number of the job.", .integer(0...9_007_199_254_740_991))

    /// What the hub does with devices for pages, whatever it is.
    var jobRoutes: [Route] {
        [
            Route(
                method: .get, path: "/jobs", name: "listJobs",
                summary: "What the hub does with devices for pages now.",
                answer: .json(
                    "The jobs.",
                    .object([
                        Schema.Property(name: "items", about: "The oldest first.", schema: .list(Shape.job))
                    ]))
            ) { _ in
                let jobs = await hub.currentJobs()
                return .object { json in
                    json.key("items")
                    json.array { json in for job in jobs { job.write(into: &json) } }
                }
            },
            Route(
                method: .post, path: "/jobs/{id}/keep", name: "keepJob",
                summary: "Says that the page of a job is there; without this it ends after its lease.",
                parameters: [Self.jobID], answer: .json("The job.", Shape.job)
            ) { input in
                let id = try input.id()
                return .json(
                    try await asking { () async throws(HubError) in try await hub.keep(job: id) })
            },
            Route(
                method: .delete, path: "/jobs/{id}", name: "endJob",
                summary: "Ends a job, and answers when its link is closed.", parameters: [Self.jobID],
                answer: .empty("It has ended.")
            ) { input in
                let id = try input.id()
                try await asking { () async throws(HubError) in try await hub.end(job: id) }
                return .empty
            },
        ]
    }

    /// The Wi-Fi set-up of a device: a job, and what is asked of it.
    var wifiRoutes: [Route] {
        let answer = Route.Answer.json("How far it is.", Shape.wifiSetup)
        return [
            Route(
                method: .post, path: "/devices/{id}/wifi", name: "beginWiFi",
                summary: "Connects to a device to give it its Wi-Fi, and has it look for networks.",
                parameters: [.path("id", "The number of the device.", .integer(0...2_147_483_647))],
                answer: answer, refusals: [.conflict]
            ) { input in
                let id = Int(try input.id())
                return .json(
                    try await asking { () async throws(HubError) in try await hub.beginWiFi(device: id)
                    })
            },
            Route(
                method: .get, path: "/wifi/{id}", name: "getWiFi",
                summary: "How far a set-up is, and the networks that the device hears.",
                parameters: [Self.jobID], answer: .json("Both.", Self.wifiSchema)
            ) { input in
                let wifi: JobHandle<WiFiJob> = hub.job(try input.id())
                let (setup, networks, hidden) = try await asking { () async throws(HubError) in
                    try await wifi.state
                }
                return .object { json in
                    json.key("setup")
                    setup.write(into: &json)
                    json.key("networks")
                    json.array { json in
                        for network in networks { WiFiNetworkJSON(network).write(into: &json) }
                    }
                    json.field("hidden", hidden)
                }
            },
            Route(
                method: .post, path: "/wifi/{id}/networks", name: "listWiFiNetworks",
                summary: "Has the device look for networks again.", parameters: [Self.jobID],
                answer: answer, refusals: [.conflict]
            ) { input in
                try await asked(input) { (wifi: JobHandle<WiFiJob>) async throws(HubError) in
                    try await wifi.list()
                }
            },
            Route(
                method: .post, path: "/wifi/{id}/identify", name: "identifyWiFi",
                summary: "Has the device show itself, by a light or a sound.", parameters: [Self.jobID],
                answer: answer, refusals: [.conflict]
            ) { input in
                try await asked(input) { (wifi: JobHandle<WiFiJob>) async throws(HubError) in
                    try await wifi.identify()
                }
            },
            Route(
                method: .post, path: "/wifi/{id}/credentials", name: "sendWiFi",
                summary: "Sends the device a network's name and password; nothing keeps the password.",
                parameters: [Self.jobID],
                body: Route.Body(
                    about: "The network.",
                    schema: .object([
                        Schema.Property(
                            name: "ssid_octets", about: "The octets of the network's name.", schema: .octets),
                        Schema.Property(
                            name: "security",
                            about: "How it is secured, as the list says; null for one that is not in it.",
                            schema: .nullable(.word(NetworkSecurity.allCases.map { $0.rawValue })),
                            isRequired: false),
                        Schema.Property(
                            name: "password", about: "Its password; empty for an open network.",
                            schema: .text()),
                    ]), secret: "password"), answer: answer, refusals: [.conflict]
            ) { input in
                guard case .text(let hexadecimal)? = input.member("ssid_octets"),
                    let octets = [UInt8](hexadecimal: hexadecimal),
                    let secret = input.secret
                else { throw Problem(.unprocessableContent, "The password is there more than once.") }
                var security: NetworkSecurity?
                if case .text(let word)? = input.member("security") {
                    security = NetworkSecurity(rawValue: word)
                }
                return try await asked(input) {
                    [security] (wifi: JobHandle<WiFiJob>) async throws(HubError) in
                    try await wifi.send(
                        WiFiSecret(ssid: WireText(octets), password: secret.take()), security)
                }
            },
        ]
    }

    /// Asks something of a job.
    ///
    /// - Parameters:
    ///   - input: A request with its number.
    ///   - body: Asks it.
    /// - Returns: An answer with what the body returns.
    /// - Throws: ``Problem``.
    func asked<Machine: JobMachine & ~Copyable, Value: EventPart>(
        _ input: RouteInput, _ body: (JobHandle<Machine>) async throws(HubError) -> Value
    ) async throws -> Response {
        let job: JobHandle<Machine> = hub.job(try input.id())
        return .json(try await asking { () async throws(HubError) in try await body(job) })
    }

    static let wifiSchema = Schema.object([
        Schema.Property(name: "setup", about: "How far it is.", schema: Shape.wifiSetup),
        Schema.Property(
            name: "networks", about: "The networks of the last list, folded, the strongest first.",
            schema: .list(Schema(of: WiFiNetworkJSON.self))),
        Schema.Property(
            name: "hidden", about: "How many networks of that list hide their name.", schema: .integer()),
    ])
}
