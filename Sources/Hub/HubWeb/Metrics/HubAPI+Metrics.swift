// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionHub
import HubModel
import Metrics

extension HubAPI {
    /// The text of `/metrics`: what was counted, and how the hub is now.
    func metrics(
        _ metrics: PrometheusMetrics, _ usage: ClientUsage, connections: Int
    ) async -> String {
        let state = await state()
        let storage = state.storage
        let uptime = Double(state.time.milliseconds - state.started.milliseconds) / 1000
        let gauges: [(HubMetrics.Name, Double)] = [
            (.scanning, state.radio.condition == .scanning ? 1 : 0),
            (.reportsPerMinute, Double(state.radio.reportsPerMinute)),
            (.connections, Double(state.radio.connections)), (.devices, Double(hub.devices.count)),
            (.detections, Double(storage.detections)), (.sources, Double(storage.sources)),
            (.databaseBytes, Double(storage.octets)), (.databaseTrouble, storage.trouble == nil ? 0 : 1),
            (.lastEvent, Double(state.lastEvent)), (.eventStreams, Double(usage.count(.stream))),
            (.httpConnections, Double(connections)), (.uptime, uptime),
        ]
        for (name, value) in gauges {
            Gauge(label: name.rawValue, dimensions: [], factory: metrics).record(value)
        }
        metrics.setCounter(HubMetrics.Name.restarts.rawValue, to: Double(state.radio.restarts))
        return metrics.text { HubMetrics.Name(rawValue: $0)?.help }
    }
}
