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
        Counter(label: "lantern_http_requests_total", dimensions: dimensions, factory: factory).increment()
        Timer(label: "lantern_http_request_seconds", dimensions: [], factory: factory)
            .recordNanoseconds(Int64(time / .nanoseconds(1)))
    }
}
