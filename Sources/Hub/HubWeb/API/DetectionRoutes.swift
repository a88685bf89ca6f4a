// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import FlockFinderCompanion
import Hummingbird

extension HubAPI {
    private static let cursor = Parameter.query(
        "cursor", "Where the list goes on: next of the part before.", .text(1...60))

    /// How many of a list come at once.
    private static let limit = Parameter.query(
        "limit", "How many at most; 100 when missing.", .integer(1...1000))

    private static let listEnd = Parameter.query(
        "sort", "What comes first: what was stored last, or first; newest when missing.",
        .word(DetectionPage.Order.allCases.map(\.rawValue)))

    private static let sort = Parameter.query(
        "sort", "What the list is in order of, the most first; last when missing.",
        .word(SourceOrder.allCases.map(\.rawValue)))

    private static let number = Schema.integer(1...9_007_199_254_740_991)

    private static let badCursor = Problem(
        .badRequest, "This cursor is not one that the hub has given. Start the list again.")

    static let noDetection = Problem(.notFound, "There is no such detection. It may have been deleted.")

    /// Detections, one by one and in lists.
    var detectionRoutes: [Route] {
        let id = Parameter.path("id", "The number of the detection.", Self.number)
        return [
            Route(
                method: .get, path: "/detections", name: "listDetections",
                summary: "Detections in the order in which they were stored, from either end.",
                parameters: FilterParameters.query + [Self.listEnd, Self.limit, Self.cursor],
                answer: .json("A part of the list.", Self.pageSchema(Shape.detection)),
                respond: listDetections),
            Route(
                method: .get, path: "/detections/{id}", name: "getDetection", summary: "A detection.",
                parameters: [id], answer: .json("The detection.", Shape.detection)
            ) { input in
                guard let record = try await store.record(id: try input.id()) else { throw Self.noDetection }
                var event = DetectionEvent(record, at: .now())
                if let position = record.sighting.position {
                    event.knownNearby = try await store.knownCamera(near: position)
                }
                var json = JSONWriter()
                json.json(event.json)
                return .json(json)
            },
            Route(
                method: .delete, path: "/detections/{id}", name: "deleteDetection",
                summary: "Deletes a detection, so that it can be taken back.", parameters: [id],
                answer: .json("What was changed.", Shape.changed)
            ) { input in
                let id = try input.id()
                let deletion = try await asking { () async throws(HubError) in
                    try await hub.discard(ids: [id])
                }
                guard deletion.count > 0 else { throw Self.noDetection }
                return Self.changed(deletion.count, undo: deletion.id)
            },
            Route(
                method: .post, path: "/detections/{id}/restore", name: "restoreDetection",
                summary: "Takes the deletion of a detection back.", parameters: [id],
                answer: .json("What was changed.", Shape.changed)
            ) { input in
                let id = try input.id()
                return Self.changed(
                    try await asking { () async throws(HubError) in
                        try await hub.restore(detection: id)
                    },
                    undo: nil)
            },
        ]
    }

    static func changed(_ count: Int, undo: Int64?, _ marked: MarkedSources? = nil) -> Response {
        .object { json in
            json.field("changed", count)
            json.field("undo", undo.map { "\($0)" })
            guard let marked else { return }
            json.key("before")
            marked.write(into: &json)
        }
    }

    @Sendable private func listDetections(_ input: RouteInput) async throws -> Response {
        let now = Timestamp.now()
        let filter = DetectionFilter(named: input.values, at: now)
        let order = input.text("sort").flatMap { DetectionPage.Order(rawValue: $0) } ?? .newestFirst
        var page = DetectionPage(order: order, limit: input.integer("limit") ?? 100)
        if let text = input.text("cursor") {
            guard let after = Int64(text) else { throw Self.badCursor }
            page.after = after
        }
        let all = try await store.figures().detections
        let total = filter == DetectionFilter() ? all : try await store.count(matching: filter)
        let part = ListPart<DetectionRecord>(limit: page.limit, total: total, all: all) {
            "\($0.id)"
        } read: { [page, store] count, last in
            let after = last?.id ?? page.after
            return try await store.records(
                matching: filter, page: DetectionPage(order: page.order, after: after, limit: count))
        } write: { record, json in
            json.json(DetectionEvent(record, at: now).json)
        }
        return try await part.answer()
    }

    // MARK: Sources

    /// Sources: what detections add up to.
    var sourceRoutes: [Route] {
        let id = Parameter.path("id", "The number of the source.", Self.number)
        let answer = Route.Answer.json(
            "The source.", Shape.sourceDetail, headers: ["ETag": "Names what people have said of it."])
        return [
            Route(
                method: .get, path: "/sources", name: "listSources",
                summary: "Sources that have detections, in an order.",
                parameters: FilterParameters.query + [Self.sort, Self.limit, Self.cursor],
                answer: .json("A part of the list.", Self.pageSchema(Shape.source)), respond: listSources),
            Route(
                method: .get, path: "/sources/{id}", name: "getSource",
                summary: "A source, why it was raised, and its last detections.", parameters: [id],
                answer: answer
            ) { input in try await source(try input.id()) },
            Route(
                method: .patch, path: "/sources/{id}", name: "changeSource",
                summary: "Says something about a source. A source has one mark: the last that is true.",
                parameters: [
                    id,
                    .header(
                        "If-Match",
                        "The ETag of the source that was seen, so that nobody else's words are lost; * overrides.",
                        .text(1...200)),
                ],
                body: Route.Body(
                    about: "What is to be changed.",
                    schema: .object(
                        Self.marks.map { name, about in
                            Schema.Property(name: name, about: about, schema: .flag, isRequired: false)
                        } + [
                            Schema.Property(
                                name: "note", about: "What somebody has to say; empty for nothing.",
                                schema: .text(0...250), isRequired: false)
                        ])),
                answer: answer, respond: changeSource),
        ]
    }

    private static let marks = [
        ("mine", "Whether it is one's own."), ("muted", "Whether it is known and raises no alert."),
        ("false_alarm", "Whether it is not what the device took it for."),
    ]

    static let sourceDetailSchema = Schema(of: SourceJSON.self).adding([
        Schema.Property(
            name: "reasons", about: "Why it was raised.", schema: .list(Schema(of: SourceReason.self))),
        Schema.Property(
            name: "detections", about: "Its last 500 detections, the oldest first.",
            schema: .list(Shape.detection)),
    ])

    @Sendable private func listSources(_ input: RouteInput) async throws -> Response {
        let now = Timestamp.now()
        let filter = DetectionFilter(named: input.values, at: now)
        let order = input.text("sort").flatMap { SourceOrder(rawValue: $0) } ?? .last
        var page = SourcePage(order: order, limit: input.integer("limit") ?? 100)
        if let text = input.text("cursor") {
            let numbers = text.split(separator: "_", omittingEmptySubsequences: false)
            guard numbers.count == 2, let value = Double(numbers[0]), value.isFinite,
                let id = Int64(numbers[1])
            else { throw Self.badCursor }
            page.after = SourcePage.Cursor(value: value, id: id)
        }
        let all = try await store.sourceCount()
        let total = filter == DetectionFilter() ? all : try await store.sourceCount(matching: filter)
        let part = ListPart<ListedSource>(limit: page.limit, total: total, all: all) {
            "\(order.value(of: $0))_\($0.source.id)"
        } read: { [page, store] count, last in
            let after = last.map { SourcePage.Cursor($0, in: order) } ?? page.after
            return try await store.sources(
                matching: filter, page: SourcePage(order: order, after: after, limit: count))
        } write: { listed, json in
            SourceJSON(listed, at: now).write(into: &json)
        }
        return try await part.answer()
    }

    private func source(_ id: Int64) async throws -> Response {
        guard let listed = try await store.listedSource(id: id) else {
            throw Problem(.notFound, "There is no such source. It may have been deleted.")
        }
        let now = Timestamp.now()
        let records = try await store.records(
            matching: DetectionFilter(source: id), page: DetectionPage(limit: 500))
        let reasons = SourceReason.reasons(
            of: listed.source, confidence: listed.confidence, last: records.first)
        return .object(headers: [.eTag: "\"\(listed.source.revision)\""]) { json in
            let part = SourceJSON(listed, at: now)
            part.writeValues(into: &json)
            json.key("reasons")
            json.array { json in for reason in reasons { reason.write(into: &json) } }
            json.key("detections")
            json.array { json in
                for record in records.reversed() { json.json(DetectionEvent(record, at: now).json) }
            }
        }
    }

    @Sendable private func changeSource(_ input: RouteInput) async throws -> Response {
        let id = try input.id()
        guard let source = try await store.source(id: id) else {
            throw Problem(.notFound, "There is no such source. It may have been deleted.")
        }
        var mark = source.mark
        if case .object(let members)? = input.body?.value {
            for member in members {
                guard let one = SourceMark(rawValue: member.key), case .bool(let isOn) = member.node.value
                else { continue }
                if isOn { mark = one } else if mark == one { mark = .none }
            }
        }
        var note: String?
        if case .text(let text)? = input.member("note") { note = text }
        let revision = try Self.revision(in: input)
        _ = try await asking { [mark, note] () async throws(HubError) in
            try await hub.mark(source: id, as: mark, note: note, ifRevision: revision)
        }
        return try await self.source(id)
    }
}
