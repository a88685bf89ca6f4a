// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CompanionText
import SwiftUI

/// The password of a network, and then what has become of it.
struct WiFiPasswordView: View {
    private enum Field: Hashable {
        case name
        case password
    }

    @Bindable var model: WiFiModel
    let name: String
    @FocusState private var focus: Field?
    @State private var isPasswordShown = false
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            Form {
                switch model.attempt?.step {
                case nil: fields
                case .joined: WiFiDoneSections(model: model, name: name)
                case .failed: failed
                default: if let attempt = model.attempt { WiFiProgressSection(attempt: attempt) }
                }
                if let answers = model.setup?.answers, model.attempt != nil, !answers.isEmpty {
                    WiFiAnswersSection(answers: answers)
                }
            }
            .navigationTitle(title)
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    if model.attempt?.step != .joined { Button("Close") { dismiss() } }
                }
                ToolbarItem(placement: .confirmationAction) {
                    if model.attempt?.step == .joined { Button("Done") { dismiss() } }
                }
            }
            .onAppear { focus = model.target == .hidden ? .name : .password }
            .onChange(of: model.failures) { focus = .password }
        }
    }

    private var network: String {
        switch model.target {
        case .heard(let folded): WiFiText.name(folded.network.ssid)
        default: model.hiddenName
        }
    }

    private var title: Text {
        if case .heard(let folded) = model.target { return Text(WiFiText.name(folded.network.ssid)) }
        return Text("Hidden network")
    }

    @ViewBuilder private var fields: some View {
        Section {
            if let risk = WiFiWords.risk(model.security) {
                Label(risk, systemImage: "exclamationmark.triangle")
            }
            if model.target == .hidden {
                TextField("Name of the network", text: $model.hiddenName)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                    .focused($focus, equals: .name)
            }
            password
            if let trouble = model.device.trouble {
                Label(trouble, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red)
            }
        } footer: {
            Text("The password goes over Bluetooth without encryption. Be sure that this is your device.")
        }
        Section { sendButton("Send to \(name)") }
    }

    @ViewBuilder private var failed: some View {
        if let attempt = model.attempt {
            let network = WiFiText.name(attempt.ssid)
            Section {
                Label(
                    attempt.isUncertain
                        ? "Not known whether it joined “\(network)”" : "Couldn’t join “\(network)”",
                    systemImage: "exclamationmark.triangle"
                )
                .font(.headline)
                if let failure = attempt.failure { Text(failure) }
                if let fallback = attempt.fallback { Label(fallback, systemImage: "arrow.uturn.backward") }
            }
        }
        if model.device.isOpen {
            Section {
                password
                if let trouble = model.device.trouble {
                    Label(trouble, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red)
                }
                sendButton("Try again")
                Button("Choose another network") { dismiss() }
            }
        } else {
            Section {
                Button("Connect again") {
                    model.device.tryAgain()
                    dismiss()
                }
            }
        }
    }

    @ViewBuilder private var password: some View {
        if model.security != .open {
            Group {
                if isPasswordShown {
                    TextField(passwordTitle, text: $model.password, prompt: prompt)
                } else {
                    SecureField(passwordTitle, text: $model.password, prompt: prompt)
                }
            }
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
            .privacySensitive()
            .submitLabel(.join)
            .focused($focus, equals: .password)
            .onSubmit { send() }
            Toggle("Show password", isOn: $isPasswordShown)
        }
    }

    private var passwordTitle: LocalizedStringKey {
        model.target == .hidden ? "Password" : "Password of \(network)"
    }

    private var prompt: Text { Text(WiFiWords.prompt(model.security)) }

    private func sendButton(_ title: LocalizedStringKey) -> some View {
        Button(title) { send() }
            .buttonStyle(.borderedProminent)
            .disabled(!model.device.isOpen || model.device.underWay > 0)
    }

    private func send() { Task { await model.join() } }
}
