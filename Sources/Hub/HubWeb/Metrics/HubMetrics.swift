// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metrics

/// What the server counts of itself.
struct HubMetrics: Sendable {
    let factory: PrometheusMetrics

    /// Counts an answer.
    func answered(_ method: HTTPRequest.Method, _ status: HTTPResponse.Status, in time: Duration) {
        // Methods and statuses that a client can make up must not make new series.
        let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
        let dimensions = [
            ("method", known.contains(method) ? method.rawValue : "other"), ("status", "\(status.code)"),
        ]
        Counter(label: Name.requests.rawValue, dimensions: dimensions, factory: factory).increment()
        Timer(label: Name.requestSeconds.rawValue, dimensions: [], factory: factory)
            .recordNanoseconds(Int64(time / .nanoseconds(1)))
    }
}

extension HubMetrics {
    /// What is measured, named as Prometheus wants: base units, and `_total` for what is counted.
    enum Name: String, CaseIterable {
        case requests = "lantern_http_requests_total"
        case requestSeconds = "lantern_http_request_duration_seconds"
        case httpConnections = "lantern_http_connections"
        case eventStreams = "lantern_event_streams"
        case scanning = "lantern_radio_scanning"
        case reportsPerMinute = "lantern_radio_reports_per_minute"
        case restarts = "lantern_radio_restarts_total"
        case connections = "lantern_radio_connections"
        case devices = "lantern_devices"
        case detections = "lantern_detections"
        case sources = "lantern_sources"
        case databaseBytes = "lantern_database_bytes"
        case databaseTrouble = "lantern_database_trouble"
        case lastEvent = "lantern_last_event"
        case uptime = "lantern_uptime_seconds"

        /// What it says.
        var help: String {
            switch self {
            case .requests: "Requests answered, by method and status."
            case .requestSeconds: "Time from a request to the beginning of its answer."
            case .httpConnections: "Connections of browsers and programs."
            case .eventStreams: "Event streams that are followed."
            case .scanning: "Whether the radio listens (1) or not (0)."
            case .reportsPerMinute: "Advertisements heard in the last minute."
            case .restarts: "Times the scan was started again because it had gone deaf."
            case .connections: "Devices that the hub is connected to."
            case .devices: "Devices that are heard or known."
            case .detections: "Detections in the database."
            case .sources: "Sources in the database."
            case .databaseBytes: "Size of the database."
            case .databaseTrouble: "Whether something keeps the database from storing (1) or not (0)."
            case .lastEvent: "Number of the last event."
            case .uptime: "Time since the hub has started."
            }
        }
    }
}
