// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// Keeps counters, gauges and times, and writes them as Prometheus reads them.
///
/// Spec: Prometheus text exposition format 0.0.4.
final class PrometheusMetrics: MetricsFactory {
    private struct Series: Hashable {
        let label: String
        let dimensions: String
    }

    private enum Value {
        case counter(Double)
        case gauge(Double)
        case summary(count: Int64, sum: Double)

        var type: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .summary: "summary"
            }
        }
    }

    /// Series that are kept; what comes after them is not counted.
    private static let limit = 1000

    private let values = Mutex<[Series: Value]>([:])

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(self, label, dimensions)
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        Handler(self, label, dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate ? SummaryHandler(self, label, dimensions) : GaugeHandler(self, label, dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        GaugeHandler(self, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        SummaryHandler(self, label, dimensions)
    }

    // What was counted stays.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// Sets a count that is kept elsewhere.
    func setCounter(_ label: String, to number: Double) {
        change(Series(label: label, dimensions: "")) { _ in .counter(number) }
    }

    /// Everything, in order of name.
    ///
    /// - Parameter help: What a name says, in one line without backslashes; `nil` when nobody knows.
    /// - Returns: The text.
    func text(help: (String) -> String?) -> String {
        let values = values.withLock { $0 }
        var text = ""
        var label = ""
        for (series, value) in values.sorted(by: {
            ($0.key.label, $0.key.dimensions) < ($1.key.label, $1.key.dimensions)
        }) {
            if series.label != label {
                label = series.label
                if let help = help(label) { text += "# HELP \(label) \(help)\n" }
                text += "# TYPE \(label) \(value.type)\n"
            }
            switch value {
            case .counter(let number), .gauge(let number):
                text += "\(label)\(series.dimensions) \(number)\n"
            case .summary(let count, let sum):
                text += "\(label)_sum\(series.dimensions) \(sum)\n"
                text += "\(label)_count\(series.dimensions) \(count)\n"
            }
        }
        return text
    }

    private func change(_ series: Series, _ change: (Value?) -> Value) {
        values.withLock { values in
            guard values[series] != nil || values.count < Self.limit else { return }
            values[series] = change(values[series])
        }
    }

    private static func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
        let pairs = dimensions.map { name, value in
            let escaped = value.map { character -> String in
                switch character {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                default: String(character)
                }
            }.joined()
            return "\(name)=\"\(escaped)\""
        }
        return Series(
            label: label, dimensions: pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}")
    }

    private final class Handler: CounterHandler, FloatingPointCounterHandler {
        private let metrics: PrometheusMetrics
        private let series: Series

        init(_ metrics: PrometheusMetrics, _ label: String, _ dimensions: [(String, String)]) {
            self.metrics = metrics
            series = PrometheusMetrics.series(label, dimensions)
        }

        func increment(by amount: Int64) { increment(by: Double(amount)) }

        func increment(by amount: Double) {
            metrics.change(series) { value in
                if case .counter(let number)? = value { .counter(number + amount) } else { .counter(amount) }
            }
        }

        func reset() { metrics.change(series) { _ in .counter(0) } }
    }

    private final class GaugeHandler: RecorderHandler, MeterHandler {
        private let metrics: PrometheusMetrics
        private let series: Series

        init(_ metrics: PrometheusMetrics, _ label: String, _ dimensions: [(String, String)]) {
            self.metrics = metrics
            series = PrometheusMetrics.series(label, dimensions)
        }

        func record(_ value: Int64) { set(Double(value)) }
        func record(_ value: Double) { set(value) }
        func set(_ value: Int64) { set(Double(value)) }
        func set(_ value: Double) { metrics.change(series) { _ in .gauge(value) } }
        func increment(by amount: Double) { add(amount) }
        func decrement(by amount: Double) { add(-amount) }

        private func add(_ amount: Double) {
            metrics.change(series) { value in
                if case .gauge(let number)? = value { .gauge(number + amount) } else { .gauge(amount) }
            }
        }
    }

    private final class SummaryHandler: RecorderHandler, TimerHandler {
        private let metrics: PrometheusMetrics
        private let series: Series

        init(_ metrics: PrometheusMetrics, _ label: String, _ dimensions: [(String, String)]) {
            self.metrics = metrics
            series = PrometheusMetrics.series(label, dimensions)
        }

        func record(_ value: Int64) { add(Double(value)) }
        func record(_ value: Double) { add(value) }
        func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }

        private func add(_ amount: Double) {
            metrics.change(series) { value in
                if case .summary(let count, let sum)? = value {
                    .summary(count: count + 1, sum: sum + amount)
                } else {
                    .summary(count: 1, sum: amount)
                }
            }
        }
    }
}
