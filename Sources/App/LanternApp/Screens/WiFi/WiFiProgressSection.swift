// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CompanionText
import SwiftUI

/// How far a device is with a network, step by step, with when.
struct WiFiProgressSection: View {
    let attempt: WiFiAttempt

    var body: some View {
        Section {
            WiFiStepRow(word: "Sent", time: attempt.sent, isNow: attempt.sent == nil)
            if attempt.step == .button {
                Label("Press its button", systemImage: "button.programmable")
                Text("The device accepts the password once its button is pressed.")
                    .foregroundStyle(.secondary)
            }
            WiFiStepRow(
                word: "Accepted", time: attempt.accepted,
                isNow: attempt.sent != nil && attempt.accepted == nil && attempt.step != .button)
            WiFiStepRow(word: "Joining", time: nil, isNow: attempt.accepted != nil)
            if let since = attempt.joining ?? attempt.accepted {
                Text("\(since.date, style: .timer) of at most \(attempt.limit) seconds")
                    .foregroundStyle(.secondary)
                    .accessibilityAddTraits(.updatesFrequently)
            }
            WiFiStepRow(word: "Joined", time: nil, isNow: false)
        } header: {
            Text("Joining \(WiFiText.name(attempt.ssid))")
        }
    }
}

/// A step: its word, and when it was done.
private struct WiFiStepRow: View {
    let word: LocalizedStringKey
    let time: Timestamp?
    let isNow: Bool

    var body: some View {
        HStack {
            Image(systemName: time != nil ? "checkmark.circle.fill" : isNow ? "circle.dotted" : "circle")
                .accessibilityHidden(true)
            Text(word)
            Spacer()
            if let time {
                Text(time.date, style: .time).foregroundStyle(.secondary)
            } else if isNow {
                ProgressView().accessibilityLabel("Now")
            }
        }
        .accessibilityElement(children: .combine)
    }
}

/// What a device has answered, in its words, with when.
struct WiFiAnswersSection: View {
    let answers: [WiFiSaid]

    var body: some View {
        Section("What the device answered") {
            ForEach(Array(answers.enumerated()), id: \.offset) { _, answer in
                HStack {
                    Text(answer.time.date, style: .time)
                    Text(answer.text)
                }
                .font(.caption.monospaced())
                .accessibilityElement(children: .combine)
            }
        }
    }
}

/// The device is in the network: where it can be reached, and how strong it hears it.
struct WiFiDoneSections: View {
    let model: WiFiModel
    let name: String

    var body: some View {
        Section {
            Label("\(name) is on Wi-Fi", systemImage: "checkmark.circle").font(.headline)
            if let attempt = model.attempt, let seconds = attempt.seconds {
                Text(
                    seconds == 1
                        ? "Joined “\(WiFiText.name(attempt.ssid))” in 1 second"
                        : "Joined “\(WiFiText.name(attempt.ssid))” in \(seconds) seconds")
            }
        }
        Section {
            if let url = model.wayOn {
                LabeledContent("Address") { Text(model.address ?? url.absoluteString) }
                Link("Open \(model.address ?? url.absoluteString)", destination: url)
            } else {
                LabeledContent("Address") { Text("The device did not say") }
            }
            if let rssi = model.setup?.status?.state.rssi, rssi != 0 {
                LabeledContent("Signal at the device") { Text("\(rssi, format: TrueMinus()) dBm") }
            }
        }
    }
}
