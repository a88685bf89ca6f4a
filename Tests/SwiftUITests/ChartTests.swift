// SPDX-License-Identifier: Apache-2.0

import Charts
import SwiftUI
import Testing

private struct Sample: Identifiable {
    let id: Int
    let strength: Double
    var device = "Lamp"
}

private enum Kind: String, Plottable { case bulb, strip }

@MainActor @Observable private final class Choice {
    var index: Int?
    var first = 0
}

private func utc(_ values: inout EnvironmentValues) {
    values.timeZone = .gmt
    values.calendar.timeZone = .gmt
}

private struct Threshold: ChartContent {
    let value: Int
    var body: some ChartContent {
        RuleMark(y: .value("Threshold", value)).annotation(position: .top) { Text("Limit") }
    }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct ChartTests {
    private let samples = (0..<4).map { Sample(id: $0, strength: Double($0) * 2.5) }
    private let choice = Choice()

    @Test("marks are read by their values, in their order") func marks() {
        let samples = samples
        let screen = Screen {
            Chart(samples) { sample in
                LineMark(x: .value("Time", sample.id), y: .value("Strength", sample.strength))
                    .foregroundStyle(by: .value("Device", sample.device))
                    .interpolationMethod(.monotone)
                if sample.id == 2 {
                    PointMark(x: .value("Time", sample.id), y: .value("Strength", sample.strength))
                        .accessibilityLabel("Peak")
                        .accessibilityValue("5 dB")
                }
            }
            .chartXAxis(.hidden)
            .chartYAxis(.hidden)
            .accessibilityLabel("Strength")
        }
        #expect(
            screen.description == """
                chart “Strength”
                  mark “0, 0, Lamp”
                  mark “1, 2.5, Lamp”
                  mark “2, 5, Lamp”
                  mark “Peak” = “5 dB”
                  mark “3, 7.5, Lamp”
                  group silent
                    text “Lamp”
                """)
    }

    @Test("bars, areas, rules and rectangles have ranges, categories and views beside them") func kinds() {
        let day = Date(timeIntervalSince1970: 86_400 * 10 + 3600)
        let screen = Screen(environment: utc) {
            Chart {
                BarMark(x: .value("Kind", Kind.bulb), y: .value("Count", 3), width: 10)
                BarMark(xStart: .value("From", 1), xEnd: .value("To", 4), y: .value("Kind", Kind.strip))
                AreaMark(x: .value("Day", day, unit: .day), yStart: .value("Low", 1), yEnd: .value("High", 2))
                RectangleMark(
                    xStart: .value("a", 1), xEnd: .value("b", 2), yStart: .value("c", 3), yEnd: .value("d", 4)
                )
                Threshold(value: 7)
                ForEach([1, 2], id: \.self) { PointMark(x: .value("x", $0), y: .value("y", $0)) }
                    .accessibilityHidden(true)
            }
            .chartXAxis(.hidden)
            .chartYAxis(.hidden)
        }
        let marks = screen.reachable.flatMap(\.reached).filter { $0.kind == .mark }.map(\.spoken)
        #expect(
            marks == ["bulb, 3", "1 to 4, strip", "11 Jan 1970, 1 to 2", "1 to 2, 3 to 4", "7"])
        #expect(screen.shows("Limit"))
    }

    @Test("axes have easy values, or those of the app, and VoiceOver passes them over") func axes() {
        let samples = samples
        let start = Date(timeIntervalSince1970: 0)
        let screen = Screen(environment: utc) {
            Chart(samples) { BarMark(x: .value("Time", $0.id), y: .value("Strength", $0.strength)) }
                .chartXAxis {
                    AxisMarks(values: [0, 3]) { value in
                        AxisGridLine()
                        AxisValueLabel { Text(verbatim: "\(value.as(Int.self) ?? -1) h") }
                    }
                }
                .chartYAxisLabel("dB")
                .chartYScale(domain: 0...20)
            Chart(samples) {
                PointMark(
                    x: .value("Time", start + Double($0.id) * 86_400), y: .value("Strength", $0.strength))
            }
            .chartXAxis {
                AxisMarks(values: .stride(by: .day, count: 2)) {
                    AxisValueLabel(format: .dateTime.day().locale(Locale(identifier: "en_GB")))
                }
            }
            .chartYAxis {
                AxisMarks(
                    format: FloatingPointFormatStyle<Double>.Percent(), values: AxisMarkValues.stride(by: 5.0)
                )
            }
        }
        #expect(
            screen.texts == ["0 h", "3 h", "dB", "0", "5", "10", "15", "20", "1", "3", "0%", "500%"])
        #expect(screen.spoken.filter { $0.hasSuffix(" h") || $0 == "dB" }.isEmpty)
    }

    @Test("pressing a mark chooses its value, and pressing it again takes it back") func selection() throws {
        @Bindable var choice = choice
        let (samples, index) = (samples, $choice.index)
        let screen = Screen {
            Chart(samples) { LineMark(x: .value("Time", $0.id), y: .value("Strength", $0.strength)) }
                .chartXSelection(value: index)
        }
        try screen.press("1, 2.5")
        #expect(choice.index == 1 && screen.description.contains("mark “1, 2.5” selected"))
        try screen.press("2, 5")
        #expect(choice.index == 2)
        try screen.press("2, 5")
        #expect(choice.index == nil)
    }

    @Test("a chart that is scrolled shows a part of its marks") func scrolling() throws {
        @Bindable var choice = choice
        let (samples, first) = (samples, $choice.first)
        let screen = Screen {
            Chart(samples) { LineMark(x: .value("Time", $0.id), y: .value("Strength", $0.strength)) }
                .chartScrollableAxes(.horizontal)
                .chartXVisibleDomain(length: 1)
                .chartScrollPosition(x: first)
                .accessibilityLabel("Plot")
        }
        func marks() -> [String] { screen.spoken.filter { $0.contains(", ") } }
        #expect(marks() == ["0, 0", "1, 2.5"])
        try screen.adjust("Plot", .increment)
        #expect(marks() == ["1, 2.5", "2, 5"] && choice.first == 1)
        for _ in 0..<3 { try screen.adjust("Plot", .increment) }
        #expect(marks() == ["2, 5", "3, 7.5"] && choice.first == 2)
        try screen.adjust("Plot", .decrement)
        #expect(choice.first == 1)
    }

    @Test("an axis that the app says nothing of has easy values") func easy() {
        let samples = samples
        let screen = Screen {
            Chart(samples) { PointMark(y: .value("Strength", $0.strength)) }
        }
        #expect(screen.texts == ["0", "2", "4", "6"])
    }

    @Test("of categories, as many are seen as the app says") func categories() throws {
        let screen = Screen {
            Chart(["a", "b", "c"], id: \.self) { BarMark(x: .value("Name", $0), y: .value("Count", 1)) }
                .chartScrollableAxes(.horizontal)
                .chartXVisibleDomain(length: 2)
                .accessibilityLabel("Plot")
        }
        func marks() -> [String] { screen.spoken.filter { $0.contains(", ") } }
        #expect(marks() == ["a, 1", "b, 1"])
        try screen.adjust("Plot", .increment)
        #expect(marks() == ["b, 1", "c, 1"])
    }

    @Test("a legend says what colours mean, unless the app says it") func legend() {
        func chart() -> some View {
            Chart {
                SectorMark(angle: .value("Share", 3)).foregroundStyle(by: .value("Kind", "Bulbs"))
                SectorMark(angle: .value("Share", 1)).foregroundStyle(by: .value("Kind", "Strips"))
            }
        }
        #expect(Screen { chart() }.texts == ["Bulbs", "Strips"])
        #expect(Screen { chart().chartLegend(.hidden) }.texts.isEmpty)
        #expect(Screen { chart().chartLegend { Text("Mine") } }.texts == ["Mine"])
        let scale: KeyValuePairs = ["Strips": Color.red, "Bulbs": Color.blue]
        #expect(Screen { chart().chartForegroundStyleScale(scale) }.texts == ["Strips", "Bulbs"])
    }
}
