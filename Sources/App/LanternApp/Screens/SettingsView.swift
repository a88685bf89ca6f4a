// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import SwiftUI

/// What people can set; each change takes effect at once.
struct SettingsView: View {
    @State private var model: SettingsModel

    init(_ app: AppModel) { _model = State(initialValue: SettingsModel(app)) }

    var body: some View {
        @Bindable var model = model
        NavigationStack {
            Form {
                if let trouble = model.trouble {
                    Section { Label(trouble, systemImage: "exclamationmark.triangle") }
                }
                Section("Detections") {
                    Slider(value: $model.settings.minimumConfidence, in: 0...1, step: 0.05) {
                        Text("Minimum confidence")
                    }
                    Picker("Keep", selection: $model.settings.retentionDays) {
                        Text("For ever").tag(Int?.none)
                        ForEach([7, 30, 90, 365], id: \.self) { Text("\($0) days").tag(Int?.some($0)) }
                    }
                    Picker("At most", selection: $model.settings.sizeLimit) {
                        Text("As much as there is").tag(Int?.none)
                        ForEach([100, 500, 2000], id: \.self) { Text("\($0) MB").tag(Int?.some($0)) }
                    }
                    Toggle("Notice cameras with this phone", isOn: $model.settings.detectsItself)
                }
                Section {
                    AlertPermission(alerts: model.app.alerts)
                    Slider(value: $model.settings.alerts.minimumConfidence, in: 0...1, step: 0.05) {
                        Text("Alert from")
                    }
                    Stepper(
                        value: $model.settings.alerts.intervalMinutes, in: 1...240
                    ) {
                        Text("Every \(model.settings.alerts.intervalMinutes) minutes for a source")
                    }
                    Toggle("Sound", isOn: $model.settings.alerts.sound.isOn)
                    Toggle("Quiet hours", isOn: $model.settings.alerts.quiet.isOn)
                    if model.settings.alerts.quiet.isOn {
                        DatePicker(
                            "From", selection: $model.quietFrom, displayedComponents: .hourAndMinute)
                        DatePicker("To", selection: $model.quietTo, displayedComponents: .hourAndMinute)
                    }
                } header: {
                    Text("Alerts")
                } footer: {
                    Text("In quiet hours no notification is shown.")
                }
                Section("Units") {
                    Picker("Lengths and speeds", selection: $model.settings.units) {
                        Text("Metric").tag(HubSettings.Units.metric)
                        Text("Imperial").tag(HubSettings.Units.imperial)
                    }
                }
                FilesSection(model.app)
                if let storage = model.storage {
                    Section("Storage") {
                        LabeledContent("Detections", value: storage.detections, format: .number)
                        LabeledContent("Sources", value: storage.sources, format: .number)
                    }
                }
            }
            .navigationTitle("Settings")
        }
    }
}

/// Whether notifications are shown, and the way to have them.
struct AlertPermission: View {
    let alerts: PhoneAlerts

    var body: some View {
        switch alerts.permission {
        case .allowed: Label("Notifications are on", systemImage: "bell")
        case .refused:
            Label("Notifications are off for Lantern", systemImage: "bell.slash")
            OpenSettingsButton()
        case .notAsked: Button("Notify me of cameras") { Task { await alerts.ask() } }
        case nil: EmptyView()
        }
        if let trouble = alerts.trouble { Text(trouble).foregroundStyle(.secondary) }
    }
}

extension AlertSettings.Sound {
    /// Whether anything is heard.
    fileprivate var isOn: Bool {
        get { self != .off }
        set { self = newValue ? .chime : .off }
    }
}
