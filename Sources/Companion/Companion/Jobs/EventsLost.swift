// SPDX-License-Identifier: Apache-2.0

/// Events were dropped, because whoever reads them was too slow or came back too late.
public struct EventsLost: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "gap"
    /// When it happens.
    public static let summary: StaticString =
        "Events were dropped because their reader was too slow or came back too late: fetch everything again."

    /// How many, as far as that is known.
    public let count: Int64

    /// Makes the event.
    public init(_ count: Int64) { self.count = count }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("lost", "How many.") { $0.count }
    }
}
