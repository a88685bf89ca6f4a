// SPDX-License-Identifier: Apache-2.0

public import Companion
public import Detections
import HubModel

/// A detection of which people are to be alerted, by their settings.
public struct RaisedAlert: Sendable {
    /// The detection.
    public let event: DetectionEvent
    /// The interval of alerts: a source raises one alert in it.
    public let interval: Duration
    /// The time.
    public let time: Timestamp
    private let failed: @Sendable (AlertFailed) -> Void

    /// Makes an alert.
    package init(
        _ event: DetectionEvent, interval: Duration, at time: Timestamp,
        failed: @escaping @Sendable (AlertFailed) -> Void
    ) {
        self.event = event
        self.interval = interval
        self.time = time
        self.failed = failed
    }

    /// Tells pages, and whoever runs the hub, that people could not be alerted.
    ///
    /// - Parameter reason: What has happened and what to do, in a sentence or two.
    public func failed(_ reason: String) {
        failed(AlertFailed(source: event.source ?? 0, reason: reason))
    }
}

/// Alerts people outside of pages: runs a program, or shows a notification of the system.
public protocol AlertSink: Sendable {
    /// Alerts people; the hub waits for the call, so what takes long goes on behind it.
    func raise(_ alert: RaisedAlert) async

    /// The hub ends: what goes on is ended, too.
    func end() async
}
