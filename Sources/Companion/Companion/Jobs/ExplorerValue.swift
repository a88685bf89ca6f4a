// SPDX-License-Identifier: Apache-2.0

public import BLEATT
import BLEGATT
import BLEWire

/// A value of a device that a page explores: what was read, written or has come, or why it was refused.
public struct ExplorerValue: EventPart, Hashable, Sendable {
    /// How it came about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It was asked for.
        case read
        /// The device has sent it.
        case notify
        /// The device has sent it and waited until it was taken.
        case indicate
        /// It was written, and the device has answered.
        case write
        /// It was written, and the device was not asked to answer.
        case writeWithoutResponse = "write_without_response"

        /// Whether the device has sent it by itself.
        public var isReceived: Bool { self == .notify || self == .indicate }
    }

    /// Its number in the log.
    public let number: Int
    /// How many values of its attribute there were, with it.
    public let count: Int
    /// When it was there.
    public let time: Timestamp
    /// Of which attribute it is.
    public let attribute: AttributeJSON
    /// How it came about.
    public let kind: Kind
    /// The value, or its first part; `nil` when it was refused.
    public let octets: [UInt8]?
    /// Why there may be more than was read, as part of a sentence; `nil` when this is all.
    public let incomplete: String?
    /// Why it was refused, in words.
    public let error: String?
    /// The device's code of that.
    public let errorCode: ATT.ErrorCode?

    /// Makes a value.
    public init(
        number: Int, count: Int, time: Timestamp, _ attribute: AttributeJSON, _ kind: Kind,
        octets: [UInt8]?, incomplete: String? = nil, error: String? = nil, errorCode: ATT.ErrorCode? = nil
    ) {
        self.number = number
        self.count = count
        self.time = time
        self.attribute = attribute
        self.kind = kind
        self.octets = octets
        self.incomplete = incomplete
        self.error = error
        self.errorCode = errorCode
    }

    /// The number in it that can be drawn.
    public var plotted: PlottedNumber? { octets.flatMap { PlottedNumber($0, of: attribute.target?.layout) } }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("number", "Its number in the log of its job.") { $0.number }
        schema.integer("count", "How many values of its attribute there were in this job, with it.") {
            $0.count
        }
        schema.time("time", "When it was there.") { Optional($0.time) }
        schema.include { $0.attribute }
        schema.word("kind", "How it came about.", of: Kind.allCases.map { $0.rawValue }) { $0.kind.rawValue }
        schema.octets("octets", "The value; null when it was refused.") { $0.octets }
        schema.include { MeaningJSON($0.octets, of: $0.attribute.target?.layout) }
        schema.include { PlottedJSON($0.plotted) }
        schema.text("incomplete", "Why only the first part of the value was read, if there may be more.") {
            $0.incomplete
        }
        schema.text("error", "Why it was refused, if it was.") { $0.error }
        schema.integer("error_code", "The code of that, if the device gave one.") { $0.errorCode?.rawValue }
    }
}

private struct PlottedJSON: EventPart {
    let plotted: PlottedNumber?

    init(_ plotted: PlottedNumber?) { self.plotted = plotted }

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.number("plotted", "The number in it that can be drawn over time, if there is one.") {
            $0.plotted?.number
        }
        schema.text("unit", "The unit of that number, if it is known.") { $0.plotted?.unit }
        schema.text("plotted_name", "What that number is of, where a standard says.") { $0.plotted?.name }
    }
}

/// Values of a device that a page explores have come.
public struct ExplorerValuesCame: Event, Hashable, Sendable {
    /// Its name.
    public static let name: StaticString = "explorer_values"
    /// When it happens.
    public static let summary: StaticString =
        "Values of a device that a page explores were read, written or have come; at most five times a second."

    /// The number of the job.
    public let job: Int64
    /// Values, the oldest first.
    public let values: [ExplorerValue]
    /// Values since the event before that only the log has.
    public let leftOut: Int
    /// Values that there were since the job began.
    public let total: Int
    /// Values in the log.
    public let logged: Int
    /// Values that the log has no more.
    public let dropped: Int

    /// Makes the event.
    public init(
        job: Int64, _ values: [ExplorerValue], leftOut: Int, total: Int, logged: Int, dropped: Int
    ) {
        self.job = job
        self.values = values
        self.leftOut = leftOut
        self.total = total
        self.logged = logged
        self.dropped = dropped
    }

    /// Names its values.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("job", "The number of the job.") { $0.job }
        schema.list("values", "Values, the oldest first; the newest of each attribute is among them.") {
            $0.values
        }
        schema.integer("left_out", "Values since the event before that only the log has.") { $0.leftOut }
        schema.integer("total", "Values that there were since the job began.") { $0.total }
        schema.integer("log_values", "Values in the log.") { $0.logged }
        schema.integer("log_dropped", "Values that the log has no more.") { $0.dropped }
    }
}
