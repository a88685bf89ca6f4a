// SPDX-License-Identifier: Apache-2.0

import SwiftUI

/// Everything that happens, as it happens.
struct DebugView: View {
    @State private var model: DebugModel

    init(_ app: AppModel) { _model = State(initialValue: DebugModel(app)) }

    var body: some View {
        @Bindable var model = model
        List {
            if model.shown.isEmpty {
                ContentUnavailableView(
                    "Nothing has happened yet", systemImage: "text.alignleft",
                    description: Text(
                        "Events are listed here as they come, with the octets that brought them."))
            }
            ForEach(model.shown) { line in
                VStack(alignment: .leading) {
                    Text(line.name).font(.caption)
                    Text(line.text).font(.caption.monospaced())
                }
                .accessibilityElement(children: .combine)
            }
        }
        .navigationTitle("Debug")
        .searchable(text: $model.filter, prompt: "Text in an event")
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Toggle(model.isPaused ? "Paused, \(model.waiting) new" : "Pause", isOn: $model.isPaused)
            }
            ToolbarItem(placement: .secondaryAction) { Button("Clear") { model.clear() } }
        }
        .task { await model.run() }
    }
}
