// SPDX-License-Identifier: Apache-2.0

public import CompanionHub
public import Foundation
public import Observation

/// What the screen Settings shows; each change takes effect at once.
@MainActor @Observable public final class SettingsModel {
    /// What could not be set, and what to do.
    public var trouble: String?
    /// How much is stored; `nil` before it was counted.
    public var storage: HubStorage? { app.state?.storage }

    @ObservationIgnored let app: AppModel

    /// Makes the model.
    public init(_ app: AppModel) { self.app = app }

    /// What people have set, to be bound by controls: who sets a value here has it written at once.
    public var settings: HubSettings {
        get { wished ?? app.settings }
        set {
            guard newValue != settings else { return }
            wished = newValue
            write()
        }
    }

    /// Whether places are recorded, and with them drives.
    public var recordsPlaces: Bool {
        get { settings.location.source == .browser }
        set { settings.location.source = newValue ? .browser : .none }
    }

    /// When quiet hours begin; only hour and minute count.
    public var quietFrom: Date {
        get { Date(minuteOfDay: settings.alerts.quiet.from) }
        set { settings.alerts.quiet.from = newValue.minuteOfDay() }
    }

    /// When quiet hours end; only hour and minute count.
    public var quietTo: Date {
        get { Date(minuteOfDay: settings.alerts.quiet.to) }
        set { settings.alerts.quiet.to = newValue.minuteOfDay() }
    }

    /// What was wished and is not written yet.
    private var wished: HubSettings?
    @ObservationIgnored private var writing: Task<Void, Never>?

    /// Writes what is wished, one wish after the other; what is refused is as it was before.
    private func write() {
        guard writing == nil else { return }
        writing = Task {
            while let wish = wished {
                do throws(HubError) {
                    app.take(try await app.hub.changeSettings { $0 = wish })
                    trouble = nil
                } catch {
                    trouble = error.description
                }
                // A later wish may be another one.
                if wished == wish { wished = nil }
            }
            writing = nil
        }
    }

    /// Waits until all that was wished is written.
    public func settle() async { await writing?.value }
}
