// SPDX-License-Identifier: Apache-2.0

import Companion
import FlockFinder

/// The filter of lists and exports: in an address, and as an object in a body.
enum FilterParameters {
    private static let numbers = Schema.integer(1...9_007_199_254_740_991)
    private static let states = ["new", "mine", "muted", "false_alarm", "none"]

    /// Its parts: what each is, and whether it may be there more than once.
    private static let parts: [(name: String, about: String, schema: Schema, repeats: Bool)] = [
        // Up to four octets a character, so never more than a store looks for.
        (
            "text", "Stands in the label, name, address or extra keys, in whatever case.",
            .text(0...(DetectionFilter.longestText / 4)), false
        ),
        ("type", "Of any of these kinds.", .word(DetectionType.allCases.map(\.keywordString)), true),
        ("min_confidence", "At least so sure.", .number(0...1), false),
        ("since", "Received then or later.", .time, false),
        ("until", "Received before then.", .time, false),
        (
            "state", "Of sources of which any of these is true; none for those without a mark.",
            .word(states), true
        ),
        ("place", "Whether it has a place.", .word(["with", "without"]), false),
        ("source", "Of any of these sources.", numbers, true),
        ("id", "With any of these numbers: of sources or detections, as is asked for.", numbers, true),
    ]
    private static let box = (
        name: "box", about: "Within these degrees: west, south, east, north; west may be more than east.",
        schema: Schema.number(-180...180)
    )

    /// As parameters of an address.
    static let query: [Parameter] =
        parts.map { .query($0.name, $0.about, $0.schema, repeats: $0.repeats) }
        + [.query(box.name, box.about, box.schema, parts: 4)]

    /// As an object in a body, where null says nothing.
    static let object = Schema.object(
        parts.map { part in
            Schema.Property(
                name: part.name, about: part.about,
                schema: .nullable(part.repeats ? .list(part.schema, 0...Parameter.mostValues) : part.schema),
                isRequired: false)
        } + [
            Schema.Property(
                name: box.name, about: box.about, schema: .nullable(.list(box.schema, 4...4)),
                isRequired: false)
        ])

    /// The filter of an address.
    static func filter(_ values: [String: [JSONNode]], at now: Timestamp) -> DetectionFilter {
        var filter = DetectionFilter()
        for (name, nodes) in values where !nodes.isEmpty { set(name, nodes, in: &filter, at: now) }
        return filter
    }

    /// The filter of a body.
    static func filter(_ value: JSONNode.Value, at now: Timestamp) -> DetectionFilter {
        guard case .object(let members) = value else { return DetectionFilter() }
        var values: [String: [JSONNode]] = [:]
        for member in members {
            switch member.node.value {
            case .null: continue
            case .array(let nodes): values[member.key] = nodes
            default: values[member.key] = [member.node]
            }
        }
        return filter(values, at: now)
    }

    /// What was checked before is taken as it is.
    private static func set(
        _ name: String, _ nodes: [JSONNode], in filter: inout DetectionFilter, at now: Timestamp
    ) {
        let texts = nodes.compactMap { if case .text(let text) = $0.value { text } else { nil } }
        let numbers = nodes.compactMap { if case .number(let number) = $0.value { number } else { nil } }
        switch name {
        case "text": filter.text = texts.first.flatMap { $0.isEmpty ? nil : $0 }
        case "type": filter.types = Set(texts.compactMap { DetectionType(keyword: $0) })
        case "min_confidence": filter.minimumConfidence = numbers.first
        case "since": filter.since = texts.first.flatMap(Timestamp.init)
        case "until": filter.until = texts.first.flatMap(Timestamp.init)
        case "state":
            filter.marks = Set(texts.compactMap(SourceMark.init(rawValue:)))
            if texts.contains("new") {
                filter.newSince = Timestamp(milliseconds: now.milliseconds - SourcePart.newMilliseconds + 1)
            }
        case "place": filter.hasPosition = texts.first == "with"
        case "source": filter.sources = Set(numbers.compactMap(Int64.init(exactly:)))
        case "id": filter.ids = Set(numbers.compactMap(Int64.init(exactly:)))
        case "box" where numbers.count == 4:
            filter.box = MapBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        default: break
        }
    }
}
