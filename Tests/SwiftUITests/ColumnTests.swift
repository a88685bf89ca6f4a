// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

private struct Columns: View {
    @State private var room: String?
    @State private var lamp: String?
    @State private var isMore = false
    @SceneStorage("note") private var note = "none"

    var body: some View {
        NavigationSplitView {
            List(["Hall", "Attic"], id: \.self, selection: $room) { Text($0) }.navigationTitle("Rooms")
        } content: {
            List(selection: $lamp) {
                if let room { Text("Lamp of \(room)").tag(room) }
            }
        } detail: {
            Text(lamp.map { "Detail of \($0)" } ?? "Nothing chosen")
            Button("More") { isMore = true }
            Button("Note") { note = "some" }
            Text(note)
        }
        .inspector(isPresented: $isMore) { Text("Inspected") }
    }
}

private struct Preferring: View {
    @State var column = NavigationSplitViewColumn.detail

    var body: some View {
        NavigationSplitView(preferredCompactColumn: $column) {
            NavigationLink("Deep") { Text("Below") }
        } detail: {
            Text("Detail")
        }
        .onChange(of: column) {}
    }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct ColumnTests {
    @Test("on a phone the columns are pages, which follow what is selected") func collapsed() throws {
        let screen = Screen { Columns() }
        #expect(screen.shows("Rooms") && !screen.shows("Nothing chosen"))
        try screen.press("Hall")
        #expect(!screen.shows("Rooms") && screen.shows("Lamp of Hall"))
        try screen.press("Lamp of Hall")
        #expect(screen.shows("Detail of Hall") && !screen.shows("Lamp of Hall"))
        try screen.press("More")
        #expect(screen.presented.map(\.kind) == [.sheet] && screen.shows("Inspected"))
        try screen.dismissSheet()
        try screen.back()
        try screen.back()
        #expect(screen.shows("Rooms"))
        #expect(throws: Screen.Failure.self) { try screen.back() }
        // Going back has taken the selection away, so that the same row leads on again.
        try screen.press("Hall")
        #expect(screen.shows("Lamp of Hall"))
    }

    @Test("where there is room all are seen, unless the sidebar is hidden") func expanded() throws {
        let screen = Screen(environment: { $0.horizontalSizeClass = .regular }) { Columns() }
        #expect(screen.shows("Rooms") && screen.shows("Nothing chosen"))
        try screen.press("Attic")
        try screen.press("Lamp of Attic")
        #expect(screen.shows("Rooms") && screen.shows("Detail of Attic"))
        try screen.press("More")
        #expect(screen.presented.isEmpty && screen.shows("Inspected"))
        try screen.press("Hide Sidebar")
        #expect(!screen.shows("Rooms") && screen.shows("Detail of Attic"))
        try screen.press("Show Sidebar")
        #expect(screen.shows("Rooms"))
    }

    @Test("the app may say which column is on top") func preferred() throws {
        let screen = Screen { Preferring() }
        #expect(screen.shows("Detail"))
        try screen.back()
        try screen.open("Deep")
        #expect(screen.shows("Below"))
        try screen.back()
        #expect(screen.shows("Deep"))
    }

    @Test("what the scene keeps is there on the next screen") func scene() throws {
        let screen = Screen(environment: { $0.horizontalSizeClass = .regular }) { Columns() }
        try screen.press("Note")
        #expect(screen.shows("some"))
        let next = Screen(scene: screen.scene, environment: { $0.horizontalSizeClass = .regular }) {
            Columns()
        }
        #expect(next.shows("some"))
    }
}
