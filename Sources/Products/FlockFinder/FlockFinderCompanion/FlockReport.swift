// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections

/// Something that a FlockFinder device has sent, or a change of its link.
public struct FlockReport: Hashable, Sendable {
    /// The kinds of reports.
    public enum Content: Hashable, Sendable {
        /// The link's state has changed.
        case state(LinkStateChanged)
        /// A detection came and is stored.
        case detection(DetectionEvent)
        /// Something came that cannot be used; it is kept.
        case parseError(FlockParseError)
        /// An object of the live stream came.
        case stream(FlockStreamObject)
        /// A command was written, or could not be.
        case command(FlockCommandWritten)
        /// Advice to the person.
        case notice(FlockNotice)
    }

    /// When it came.
    public var time: Timestamp
    /// What it is.
    public var content: Content

    /// Makes a report.
    public init(_ time: Timestamp, _ content: Content) {
        self.time = time
        self.content = content
    }
}
