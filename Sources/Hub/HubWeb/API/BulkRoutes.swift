// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import Hummingbird

extension HubAPI {
    private static let numbers = Schema.list(.integer(1...9_007_199_254_740_991), 0...10_000)

    /// The same for many at once.
    var bulkRoutes: [Route] {
        [
            Route(
                method: .post, path: "/detections/bulk", name: "changeMany",
                summary: "Deletes many detections, takes that back, or marks their sources.",
                body: Route.Body(
                    about: "What is to be done, and to one of: detections, sources, filter; or undo.",
                    schema: .object([
                        Schema.Property(
                            name: "action", about: "What is to be done.",
                            schema: .word(["delete", "restore", "mine", "muted", "false_alarm"])),
                        Schema.Property(
                            name: "value", about: "For marks: whether they are set; true when missing.",
                            schema: .flag, isRequired: false),
                        Schema.Property(
                            name: "detections", about: "Numbers of detections.", schema: Self.numbers,
                            isRequired: false),
                        Schema.Property(
                            name: "sources", about: "Numbers of sources.", schema: Self.numbers,
                            isRequired: false),
                        Schema.Property(
                            name: "filter", about: "A filter, as lists have it.",
                            schema: FilterParameters.object, isRequired: false),
                        Schema.Property(
                            name: "undo", about: "For restore: what deleting has answered.",
                            schema: .text(1...30), isRequired: false),
                    ])),
                answer: .json("What was changed.", Shape.changed), refusals: [.notFound],
                respond: changeMany)
        ]
    }

    @Sendable private func changeMany(_ input: RouteInput) async throws -> Response {
        guard case .text(let action)? = input.member("action") else { throw Problem.unexpected }
        let choices = ["detections", "sources", "filter"].filter { input.member($0) != nil }
        if action == "restore" {
            guard case .text(let undo)? = input.member("undo"), choices.isEmpty else {
                throw Problem(.unprocessableContent, "To restore, give undo and nothing else.")
            }
            guard let deletion = Int64(undo) else {
                throw Problem(.notFound, "There is nothing to bring back under \"\(undo.shortened)\".")
            }
            let count = try await asking { () async throws(HubError) in
                try await hub.restore(deletion: deletion)
            }
            return Self.changed(count, undo: nil)
        }
        guard choices.count == 1, input.member("undo") == nil else {
            throw Problem(.unprocessableContent, "Give one of detections, sources and filter.")
        }
        if action == "delete" { return try await deleteMany(input) }
        guard let mark = SourceMark(rawValue: action) else { throw Problem.unexpected }
        var isOn = true
        if case .bool(let flag)? = input.member("value") { isOn = flag }
        let (ids, value) = (try await sources(input), isOn)
        let marked = try await asking { () async throws(HubError) in
            try await hub.mark(sources: ids, as: mark, value)
        }
        return Self.changed(marked.ids.count, undo: nil, marked)
    }

    private func deleteMany(_ input: RouteInput) async throws -> Response {
        let deletion: Deletion
        if let ids = Self.numbers(input, "detections") {
            deletion = try await asking { () async throws(HubError) in try await hub.discard(ids: ids)
            }
        } else {
            let filter = chosen(input)
            // An empty list of sources means none, not all.
            if Self.numbers(input, "sources")?.isEmpty == true { return Self.changed(0, undo: nil) }
            deletion = try await asking { () async throws(HubError) in
                try await hub.discard(matching: filter)
            }
        }
        return Self.changed(deletion.count, undo: deletion.count > 0 ? deletion.id : nil)
    }

    /// The filter of a body, or one of the sources that it names.
    private func chosen(_ input: RouteInput) -> DetectionFilter {
        if let filter = input.member("filter") { return DetectionFilter(filter, at: .now()) }
        var filter = DetectionFilter()
        filter.sources = Set(Self.numbers(input, "sources") ?? [])
        return filter
    }

    /// The sources that a body names, or whose detections it names, or that fit its filter.
    private func sources(_ input: RouteInput) async throws -> [Int64] {
        if let ids = Self.numbers(input, "sources") { return ids }
        var found: Set<Int64> = []
        if let ids = Self.numbers(input, "detections") {
            for start in stride(from: 0, to: ids.count, by: 1000) {
                var filter = DetectionFilter()
                filter.ids = Set(ids[start..<min(start + 1000, ids.count)])
                for record in try await store.records(matching: filter) {
                    if let source = record.source { found.insert(source) }
                }
            }
            return found.sorted()
        }
        let filter = chosen(input)
        var page = SourcePage(limit: 1000)
        while true {
            let part = try await store.sources(matching: filter, page: page)
            found.formUnion(part.map { $0.source.id })
            guard part.count == page.limit, let last = part.last else { return found.sorted() }
            page.after = SourcePage.Cursor(last.source)
        }
    }

    private static func numbers(_ input: RouteInput, _ name: String) -> [Int64]? {
        guard case .array(let nodes)? = input.member(name) else { return nil }
        return nodes.compactMap { node in
            if case .number(let number) = node.value { Int64(exactly: number) } else { nil }
        }
    }
}
