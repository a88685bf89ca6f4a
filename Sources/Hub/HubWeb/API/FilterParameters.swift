// SPDX-License-Identifier: Apache-2.0

import Companion
import Detections
import FlockFinder

/// The filter of lists and exports: in an address, and as an object in a body.
enum FilterParameters {
    // What they mean is said once, by `DetectionFilter.init(named:at:)` of Detections.
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
}
