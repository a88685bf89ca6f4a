// SPDX-License-Identifier: Apache-2.0

public import Companion

/// A source with what its last detection says of it.
public struct ListedSource: Hashable, Sendable {
    /// The source.
    public var source: DetectionSource
    /// How sure the device was at its last detection, 0 to 1; `nil` when there is none any more.
    public var confidence: Double?
    /// The name that it had at its last detection.
    public var ssid: String?

    /// Makes a source of a list.
    public init(_ source: DetectionSource, confidence: Double?, ssid: String?) {
        self.source = source
        self.confidence = confidence
        self.ssid = ssid
    }
}

extension SourceJSON {
    /// Makes it of a source of a list.
    ///
    /// - Parameters:
    ///   - listed: The source.
    ///   - now: The time.
    public init(_ listed: ListedSource, at now: Timestamp) {
        self.init(listed.source, confidence: listed.confidence, name: listed.ssid, at: now)
    }
}
