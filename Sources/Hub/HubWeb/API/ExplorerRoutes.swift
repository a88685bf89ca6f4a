// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionCore
import CompanionDevices
import CompanionHub
import HTTPTypes
import Hummingbird

extension HubAPI {
    /// How many values of a log are answered at once.
    static let logLimit = 500

    private static let handle = Schema.Property(
        name: "handle", about: "The handle of the value or descriptor.", schema: .integer(1...65_535))

    /// The explorer of one device: a job, and what is asked of it.
    var explorerRoutes: [Route] {
        let answer = Route.Answer.json("How it is.", Shape.explorer)
        let value = Route.Answer.json(
            "The value, or why the device refuses it.", Shape.explorerValue)
        return [
            Route(
                method: .post, path: "/devices/{id}/explorer", name: "beginExplorer",
                summary: "Connects to a device, finds what it has, and reads what can be read.",
                parameters: [.path("id", "The number of the device.", .integer(0...2_147_483_647))],
                answer: answer, refusals: [.conflict]
            ) { input in
                let id = Int(try input.id())
                return .json(
                    try await asking { () async throws(HubError) in
                        try await hub.beginExplorer(device: id)
                    })
            },
            Route(
                method: .get, path: "/explorers/{id}", name: "getExplorer",
                summary: "How far a device is known, and what it has.", parameters: [Self.jobID],
                answer: .json(
                    "Both.",
                    .object([
                        Schema.Property(name: "explorer", about: "How far it is.", schema: Shape.explorer),
                        Schema.Property(
                            name: "tree", about: "As gatt tree --json prints it; null before it is known.",
                            schema: .nullable(Schema(of: GATTTree.self))),
                    ]))
            ) { input in
                let job = explorer(try input.id())
                let (explorer, tree) = try await asking { () async throws(HubError) in
                    try await job.state
                }
                return .object { json in
                    json.key("explorer")
                    explorer.write(into: &json)
                    json.key("tree")
                    if let tree { tree.write(into: &json) } else { json.value(String?.none) }
                }
            },
            Route(
                method: .post, path: "/explorers/{id}/read", name: "readValue",
                summary: "Reads a value.", parameters: [Self.jobID],
                body: Route.Body(about: "Which.", schema: .object([Self.handle])), answer: value,
                refusals: [.conflict]
            ) { input in
                let handle = try Self.order(input).handle
                return try await asked(input) {
                    (explorer: JobHandle<ExplorerJob>) async throws(HubError) in
                    try await explorer.read(handle)
                }
            },
            writeRoute(value),
            Route(
                method: .post, path: "/explorers/{id}/watch", name: "watchValue",
                summary: "Subscribes to a value, or no longer.", parameters: [Self.jobID],
                body: Route.Body(
                    about: "Which.",
                    schema: .object([
                        Self.handle,
                        Schema.Property(name: "on", about: "Whether it is wanted.", schema: .flag),
                    ])), answer: answer, refusals: [.conflict]
            ) { input in
                let order = try Self.order(input)
                return try await asked(input) {
                    (explorer: JobHandle<ExplorerJob>) async throws(HubError) in
                    try await explorer.watch(order.handle, isOn: order.isOn)
                }
            },
            Route(
                method: .post, path: "/explorers/{id}/refresh", name: "refreshExplorer",
                summary: "Finds and reads everything once more.", parameters: [Self.jobID], answer: answer,
                refusals: [.conflict]
            ) { input in
                try await asked(input) { (explorer: JobHandle<ExplorerJob>) async throws(HubError) in
                    try await explorer.refresh()
                }
            },
            Route(
                method: .post, path: "/explorers/{id}/pair", name: "pairDevice",
                summary: "Pairs with the device, and answers when that is done; see answerPairing.",
                parameters: [Self.jobID],
                answer: answer, refusals: [.conflict]
            ) { input in
                try await asked(input) { (explorer: JobHandle<ExplorerJob>) async throws(HubError) in
                    try await explorer.pair()
                }
            },
        ] + logRoutes
    }

    private func writeRoute(_ answer: Route.Answer) -> Route {
        Route(
            method: .post, path: "/explorers/{id}/write", name: "writeValue",
            summary: "Writes a value; the first one to a device has to be confirmed.",
            parameters: [Self.jobID],
            body: Route.Body(
                about: "Where to and what.",
                schema: .object([
                    Self.handle,
                    Schema.Property(
                        name: "form", about: "How the value is written.",
                        schema: .word(WrittenForm.allCases.map { $0.rawValue })),
                    Schema.Property(name: "value", about: "The value.", schema: .text(0...4096)),
                    Schema.Property(
                        name: "response", about: "Whether the device is to answer; true when missing.",
                        schema: .flag, isRequired: false),
                    Schema.Property(
                        name: "confirmed",
                        about: "Whether somebody has confirmed that this device may be written to.",
                        schema: .flag, isRequired: false),
                ])), answer: answer, refusals: [.conflict, .preconditionRequired]
        ) { input in
            let (id, order) = (try input.id(), try Self.order(input))
            return .json(
                try await asking { () async throws(HubError) in
                    try await hub.write(
                        try order.octets(), to: order.handle, job: id, isAnswered: order.isAnswered,
                        isConfirmed: order.isConfirmed)
                })
        }
    }

    private var logRoutes: [Route] {
        let ofHandle = Parameter.query(
            "handle", "Only values of this handle.", .integer(1...65_535))
        return [
            Route(
                method: .get, path: "/explorers/{id}/log", name: "getExplorerLog",
                summary: "The values that were read, written or have come, the newest first.",
                parameters: [
                    Self.jobID, ofHandle,
                    .query("before", "Only values before this number.", .integer(0...9_007_199_254_740_991)),
                    .query("limit", "How many; 100 when missing.", .integer(1...Int64(Self.logLimit))),
                ],
                answer: .json(
                    "The values.",
                    .object([
                        Schema.Property(
                            name: "items", about: "The newest first.", schema: .list(Shape.explorerValue)),
                        Schema.Property(
                            name: "total", about: "Values of these that there were since the job began.",
                            schema: .integer()),
                    ]))
            ) { input in
                let (handle, before) = (input.integer("handle"), input.integer("before"))
                let limit = input.integer("limit") ?? 100
                let job = explorer(try input.id())
                let (values, total) = try await asking { () async throws(HubError) in
                    try await job.logged(of: handle, before: before, limit: limit)
                }
                return .object { json in
                    json.key("items")
                    json.array { json in for value in values { value.write(into: &json) } }
                    json.field("total", total)
                }
            },
            Route(
                method: .get, path: "/explorers/{id}/log/file", name: "getExplorerLogFile",
                summary: "The same as a file, the oldest first; jsonl can be played to whoever subscribes.",
                parameters: [
                    Self.jobID, ofHandle,
                    .query(
                        "form", "Which form; csv when missing.",
                        .word(ExplorerLogFile.allCases.map { $0.rawValue })),
                ], answer: .file("The file.", type: "text/plain; charset=utf-8")
            ) { input in
                let (form, handle) = (input.text("form"), input.integer("handle"))
                let job = explorer(try input.id())
                return .file(
                    try await asking { () async throws(HubError) in
                        try await job.logFile(form, of: handle, at: .now())
                    }, type: "text/plain; charset=utf-8")
            },
        ]
    }

    /// What explores a device.
    func explorer(_ id: Int64) -> JobHandle<ExplorerJob> { hub.job(id) }

    private static func order(_ input: RouteInput) throws(Problem) -> ExplorerOrder {
        try asking { () throws(HubError) in try ExplorerOrder(input.body) }
    }
}
