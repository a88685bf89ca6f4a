// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import Metrics

extension HubSite {
    /// The text of `/metrics`: what was counted, and how the hub is now.
    func metrics(_ metrics: PrometheusMetrics, _ usage: ClientUsage) async -> String {
        let state = await state()
        let gauges: [(String, Double)] = [
            ("lantern_radio_scanning", state.radio.condition == .scanning ? 1 : 0),
            ("lantern_radio_reports_per_minute", Double(state.radio.reportsPerMinute)),
            ("lantern_radio_restarts", Double(state.radio.restarts)),
            ("lantern_radio_connections", Double(state.radio.connections)),
            ("lantern_devices", Double(hub.devices.count)),
            ("lantern_detections", Double(state.storage.detections)),
            ("lantern_sources", Double(state.storage.sources)),
            ("lantern_database_octets", Double(state.storage.octets)),
            ("lantern_database_trouble", state.storage.trouble == nil ? 0 : 1),
            ("lantern_last_event", Double(state.lastEvent)),
            ("lantern_event_streams", Double(usage.count(.stream))),
            ("lantern_http_connections", Double(usage.count(.connection))),
            ("lantern_uptime_seconds", Double(state.time.milliseconds - state.started.milliseconds) / 1000),
        ]
        for (label, value) in gauges {
            Gauge(label: label, dimensions: [], factory: metrics).record(value)
        }
        return metrics.text
    }
}
