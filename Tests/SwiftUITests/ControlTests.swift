// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing
import UniformTypeIdentifiers

@MainActor @Observable private final class Things {
    var date = Date(timeIntervalSince1970: 1_000_000)
    var color = Color.red
    var mode = EditMode.inactive
    var ticked: Set<String> = []
    var names = ["one", "two", "three"]
    var log: [String] = []
    var isAsking = false
    var count = 0
}

private func utc(_ values: inout EnvironmentValues) {
    values.timeZone = .gmt
    values.calendar.timeZone = .gmt
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct ControlTests {
    private let things = Things()

    @Test("a date is set within its bounds, and what is not shown of it stays") func dates() throws {
        @Bindable var things = things
        let (date, first) = ($things.date, Date(timeIntervalSince1970: 500_000))
        let screen = Screen(environment: utc) {
            DatePicker("Both", selection: date)
            DatePicker("Day", selection: date, in: first..., displayedComponents: .date)
            DatePicker("Time", selection: date, displayedComponents: .hourAndMinute)
            DatePicker("Never", selection: date).disabled(true)
        }
        try screen.choose(Date(timeIntervalSince1970: 2_000_000), in: "Both")
        #expect(things.date.timeIntervalSince1970 == 2_000_000)
        // 1970-01-24 03:33:20 on another day keeps its time of day.
        try screen.choose(Date(timeIntervalSince1970: 864_000), in: "Day")
        #expect(things.date.timeIntervalSince1970 == 864_000 + 12_800)
        try screen.choose(Date(timeIntervalSince1970: 0), in: "Day")
        #expect(things.date == first)
        try screen.choose(Date(timeIntervalSince1970: 86_400 * 100 + 60), in: "Time")
        #expect(things.date.timeIntervalSince1970 == 432_000 + 60)
        #expect(screen.description.contains("date picker “Day” = “6 Jan 1970”"))
        #expect(throws: Screen.Failure.self) { try screen.choose(.now, in: "Never") }
    }

    @Test("a colour is chosen, without what is seen through it where the app wants none") func colors() throws
    {
        @Bindable var things = things
        let color = $things.color
        let screen = Screen {
            ColorPicker("Lamp", selection: color, supportsOpacity: false)
            ColorPicker("Pane", selection: color)
        }
        try screen.choose(.blue.opacity(0.5), in: "Lamp")
        #expect(things.color == .blue)
        try screen.choose(.green.opacity(0.5), in: "Pane")
        #expect(things.color.description == "green at 50%")
    }

    @Test("a gauge says its share, or what the app writes") func gauges() {
        let screen = Screen {
            Gauge(value: 30, in: 20...40) { Text("Warmth") }
            Gauge(value: 0.2) {
                Text("Charge")
            } currentValueLabel: {
                Text("low")
            }
            .gaugeStyle(.accessoryCircular)
        }
        #expect(screen.description == "gauge “Warmth” = “50%”\ngauge “Charge” = “low”")
    }

    @Test("a row can be removed while the list is edited, unless it must stay") func editing() throws {
        let things = things
        let screen = Screen {
            NavigationStack {
                List {
                    ForEach(things.names, id: \.self) { Text($0).deleteDisabled($0 == "two") }
                        .onDelete { things.names.remove(atOffsets: $0) }
                }
                .toolbar { EditButton() }
            }
        }
        #expect(throws: Screen.Failure.self) { try screen.press("Remove one") }
        try screen.press("Edit")
        try screen.press("Remove one")
        #expect(things.names == ["two", "three"])
        #expect(throws: Screen.Failure.self) { try screen.press("Remove two") }
        try screen.press("Done")
        #expect(!screen.shows("Remove three"))
        #expect(throws: Screen.Failure.self) { try screen.swipe("two", "Delete") }
        try screen.swipe("three", "Delete")
        #expect(things.names == ["two"])
    }

    @Test("while a list is edited its rows are ticked and lead nowhere") func ticking()
        throws
    {
        @Bindable var things = things
        let ticked = $things.ticked
        let screen = Screen {
            NavigationStack {
                List(selection: ticked) {
                    ForEach(things.names, id: \.self) { name in
                        NavigationLink(name) { Text("Page of \(name)") }
                    }
                }
                .toolbar { EditButton() }
            }
        }
        try screen.press("Edit")
        try screen.press("one")
        try screen.press("three")
        #expect(things.ticked == ["one", "three"] && !screen.shows("Page of one"))
        try screen.press("one")
        #expect(things.ticked == ["three"])
        try screen.press("Done")
        try screen.press("one")
        #expect(things.ticked == ["three"] && screen.shows("Page of one"))
    }

    @Test("the app may keep the mode of editing itself") func mode() throws {
        @Bindable var things = things
        let mode = $things.mode
        let screen = Screen { EditButton().environment(\.editMode, mode) }
        try screen.press("Edit")
        #expect(things.mode == .active && things.mode.isEditing)
    }

    @Test("groups are heard with their names") func groups() {
        let screen = Screen {
            ControlGroup("Sound") { Button("Louder") {} }
            GroupBox("State") { LabeledContent("Charge", value: 0.5, format: .percent) }
            ContentUnavailableView.search(text: "x")
        }
        #expect(
            screen.description == """
                group “Sound”
                  button “Louder”
                group
                  text “State” heading
                  group
                    text “Charge”
                    text “50%”
                unavailable
                  text “No Results for “x””
                  text “Check the spelling or try a new search.”
                """)
    }

    @Test("what was felt, copied and scrolled to can be read") func unseen() throws {
        let things = things
        let screen = Screen {
            ScrollViewReader { scroll in
                Button("More") { things.count += 1 }
                Button("Go") { scroll.scrollTo("two") }
                Button("Lost") { scroll.scrollTo("nowhere") }
                ScrollView { ForEach(things.names, id: \.self) { Text($0) } }
                Text("Address").textSelection(.enabled)
            }
            .sensoryFeedback(.success, trigger: things.count)
            .sensoryFeedback(trigger: things.count) { old, new in new == 2 ? .impact(weight: .heavy) : nil }
        }
        #expect(screen.feedback.isEmpty)
        try screen.press("More")
        try screen.press("More")
        #expect(screen.feedback == [.success, .success, .impact(weight: .heavy)])
        try screen.press("Go")
        try screen.press("Lost")
        #expect(screen.scrolled == ["two"])
        try screen.contextMenu("Address", "Copy")
        #expect(screen.copied == ["Address"])
    }

    @Test("a finger that moves says where it would stop") func drag() throws {
        let things = things
        let screen = Screen {
            Text("Knob").gesture(
                DragGesture().onEnded { value in
                    things.log.append("\(value.translation.width) \(value.predictedEndTranslation.width)")
                    things.log.append("\(value.predictedEndLocation.y) \(value.velocity.height)")
                })
        }
        try screen.drag(
            "Knob", from: CGPoint(x: 1, y: 2), to: CGPoint(x: 11, y: 2),
            velocity: CGSize(width: 40, height: 8))
        #expect(things.log == ["10.0 20.0", "4.0 8.0"])
    }

    @Test("rows are moved and removed by their offsets") func offsets() {
        var letters = ["a", "b", "c", "d", "e"]
        letters.move(fromOffsets: [0, 2], toOffset: 4)
        #expect(letters == ["b", "d", "a", "c", "e"])
        letters.move(fromOffsets: [4], toOffset: 0)
        #expect(letters == ["e", "b", "d", "a", "c"])
        letters.move(fromOffsets: [0], toOffset: 5)
        #expect(letters == ["b", "d", "a", "c", "e"])
        letters.remove(atOffsets: [0, 4])
        #expect(letters == ["d", "a", "c"])
    }

    @Test("what is private goes, and sizes of text stay within bounds") func limits() {
        let screen = Screen(environment: { $0.dynamicTypeSize = .accessibility5 }) {
            Text("secret").privacySensitive()
            Text("open")
            SizeView().dynamicTypeSize(...DynamicTypeSize.xxLarge)
        }
        #expect(screen.texts == ["secret", "open", "xxLarge"])
        screen.set(\.redactionReasons, to: .privacy)
        #expect(screen.texts == ["open", "xxLarge"])
    }

    @Test("VoiceOver has parts that are not seen") func children() throws {
        let things = things
        let screen = Screen {
            Canvas { _, _ in }
                .accessibilityChildren { Button("Peak") { things.count += 1 } }
                .accessibilityLabel("Plot")
        }
        try screen.press("Peak")
        #expect(things.count == 1 && screen.spoken == ["Plot", "Peak", "Peak"])
    }
}

private struct SizeView: View {
    @Environment(\.dynamicTypeSize) private var size
    var body: some View { Text(verbatim: "\(size)") }
}
