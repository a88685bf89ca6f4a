// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

@MainActor @Observable private final class Lamp {
    var isOn = false
    var brightness = 0.5
    var name = ""
    var kind = "bulb"
    var log: [String] = []
}

private struct LampView: View {
    @Bindable var lamp: Lamp
    @State private var isAsking = false
    @State private var isOpen = false
    @Environment(\.dynamicTypeSize) private var size

    var body: some View {
        NavigationStack {
            List {
                Section("Lamp") {
                    Toggle("Light", isOn: $lamp.isOn)
                    Slider(value: $lamp.brightness) { Text("Brightness") }
                    TextField("Name", text: $lamp.name)
                    Picker("Kind", selection: $lamp.kind) {
                        Text("Bulb").tag("bulb")
                        Text("Strip").tag("strip")
                    }
                    Text("\(3) of \(lamp.name) at \(0.5, format: .percent)")
                    if size.isAccessibilitySize { Text("large") }
                }
                Text("Row").swipeActions {
                    Button("Delete", role: .destructive) { lamp.log.append("deleted") }
                }
                NavigationLink("More") { MoreView(lamp: lamp) }
                Button {
                    lamp.log.append("?")
                } label: {
                    Image(systemName: "plus")
                }
            }
            .navigationTitle("Lantern")
            .toolbar {
                ToolbarItem(placement: .primaryAction) { Button("Ask") { isAsking = true } }
            }
            .alert("Sure?", isPresented: $isAsking) {
                Button("Yes") { lamp.log.append("yes") }
                Button("No", role: .cancel) {}
            }
            .sheet(isPresented: $isOpen, onDismiss: { lamp.log.append("sheet gone") }) { SheetView() }
            .onChange(of: lamp.isOn) { old, new in lamp.log.append("\(old) to \(new)") }
            .safeAreaInset(edge: .bottom) { Button("Open") { isOpen = true } }
        }
    }
}

private struct SheetView: View {
    @Environment(\.dismiss) private var dismiss
    var body: some View { Button("Done") { dismiss() } }
}

private struct MoreView: View {
    let lamp: Lamp
    @State private var count = 0
    var body: some View {
        Button("Count \(count)") { count += 1 }
            .onAppear { lamp.log.append("more") }
            .onDisappear { lamp.log.append("less") }
            .task {
                lamp.log.append("begun")
                try? await Task.sleep(for: .seconds(1000))
                lamp.log.append("cancelled")
            }
    }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct ScreenTests {
    private let lamp = Lamp()

    private func screen() -> Screen {
        let lamp = lamp
        return Screen { LampView(lamp: lamp) }
    }

    @Test("a switch sets what it is bound to, and onChange is called once") func toggle() throws {
        let screen = screen()
        try screen.press("Light")
        #expect(lamp.isOn)
        #expect(lamp.log == ["false to true"])
    }

    @Test("slider, text field and picker set what they are bound to") func controls() throws {
        let screen = screen()
        try screen.adjust("Brightness", .increment)
        #expect(abs(lamp.brightness - 0.6) < 0.001)
        try screen.adjust("Brightness", to: 7)
        #expect(lamp.brightness == 1)
        try screen.enter("Hall", into: "Name")
        #expect(lamp.name == "Hall" && screen.shows("3 of Hall at 50%"))
        try screen.choose("Strip", in: "Kind")
        #expect(lamp.kind == "strip")
        #expect(throws: Screen.Failure.self) { try screen.choose("Torch", in: "Kind") }
    }

    @Test("a swipe action is found by the text of its row") func swipe() throws {
        let screen = screen()
        try screen.swipe("Row", "Delete")
        #expect(lamp.log == ["deleted"])
        #expect(throws: Screen.Failure.self) { try screen.swipe("Row", "Keep") }
    }

    @Test("what lies under an alert cannot be pressed") func alert() throws {
        let screen = screen()
        try screen.press("Ask")
        let failure = #expect(throws: Screen.Failure.self) { try screen.press("Light") }
        #expect(failure?.description == "“Light” lies under the alert “Sure?”.")
        try screen.press("Yes")
        #expect(lamp.log == ["yes"] && screen.presented.isEmpty)
        try screen.press("Light")
    }

    @Test("a sheet goes by its own button or by a pull, and says so once") func sheet() throws {
        let screen = screen()
        try screen.press("Open")
        #expect(!screen.shows("Lantern"))
        try screen.press("Done")
        #expect(lamp.log == ["sheet gone"])
        try screen.press("Open")
        try screen.dismissSheet()
        #expect(lamp.log == ["sheet gone", "sheet gone"] && screen.shows("Lantern"))
    }

    @Test("a page has its life: task, appearance, state") func page() async throws {
        let screen = screen()
        try screen.open("More")
        #expect(!screen.shows("Light"))
        try screen.press("Count 0")
        try screen.press("Count 1")
        await screen.wait { lamp.log.contains("begun") }
        try screen.back()
        #expect(screen.shows("Light"))
        #expect(await screen.wait { lamp.log.contains("cancelled") })
        #expect(lamp.log == ["more", "begun", "less", "cancelled"])
        // What went is forgotten.
        try screen.open("More")
        #expect(screen.shows("Count 0"))
    }

    @Test("keys are as in a catalogue, and controls without a name are told") func words() {
        let screen = screen()
        #expect(screen.keys.contains("%lld of %@ at %@") && screen.keys.contains("Light"))
        #expect(screen.unnamed == ["button"])
    }

    @Test("errors say what is there") func errors() {
        let failure = #expect(throws: Screen.Failure.self) { try screen().press("Nothing") }
        #expect(
            failure?.description.hasPrefix("There is no “Nothing” that can be pressed; there are: ") == true)
    }

    @Test("a view may look at the size of text") func size() {
        let lamp = lamp
        let screen = Screen(environment: { $0.dynamicTypeSize = .accessibility3 }) { LampView(lamp: lamp) }
        #expect(screen.shows("large") && !self.screen().shows("large"))
    }

    @Test("the screen can be read") func description() {
        #expect(
            screen().description == """
                title “Lantern”
                list
                  section “Lamp”
                    toggle “Light” off
                    slider “Brightness” = “50%”
                    text field “Name”
                    picker “Kind” = “Bulb” of “Bulb”, “Strip”
                    text “3 of  at 50%”
                  text “Row”
                    swipe trailing: “Delete”
                  navigation link “More”
                  button without a name
                toolbar
                  button “Ask”
                button “Open”
                """)
    }
}

private struct Sample: App {
    var body: some Scene {
        WindowGroup { TabbedView() }
    }
}

private struct TabbedView: View {
    @State private var count = 0
    var body: some View {
        TabView {
            Tab("First", systemImage: "1.circle") { CountView() }
            Tab("Second", systemImage: "2.circle") { Circle().fill(.red) }
        }
    }
}

private struct CountView: View {
    @State private var count = 0
    var body: some View { Button("Count \(count)") { count += 1 } }
}

@MainActor struct AppTests {
    @Test("only the selected tab is seen, and the other keeps its state") func tabs() throws {
        let screen = Screen(app: Sample())
        try screen.press("Count 0")
        try screen.select(tab: "Second")
        #expect(!screen.shows("Count 1"))
        try screen.select(tab: "First")
        #expect(screen.shows("Count 1"))
    }
}
