// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// Whose lamp it is.
struct LampNameView: View {
    let model: LampModel
    @State var name: String
    @FocusState private var isFocused: Bool
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            Form {
                Section {
                    TextField("Child’s name", text: $name)
                        .focused($isFocused)
                        .submitLabel(.done)
                        .onSubmit { give() }
                } footer: {
                    Text("The lamp keeps it, so that you know it among others.")
                }
                if let trouble = model.lamp.trouble {
                    Section { Label(trouble, systemImage: "exclamationmark.triangle") }
                }
            }
            .navigationTitle("Whose lamp is it?")
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Later") { dismiss() } }
                ToolbarItem(placement: .confirmationAction) {
                    Button("Give it this name") { give() }.disabled(trimmed.isEmpty)
                }
            }
            .onAppear { isFocused = true }
        }
    }

    private var trimmed: String { name.trimmingCharacters(in: .whitespaces) }

    private func give() {
        guard !trimmed.isEmpty else { return }
        Task { if await model.name(trimmed) { dismiss() } }
    }
}
