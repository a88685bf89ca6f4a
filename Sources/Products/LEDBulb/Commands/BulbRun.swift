// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLESessions
import BLEWire
import BluetoothLE
import Companion
import CompanionText
import LEDBulb

/// A simulated bulb on a radio.
enum BulbRun {
    /// Serves until the task is cancelled or the radio is gone.
    ///
    /// - Parameters:
    ///   - dialect: What it speaks.
    ///   - radio: The radio.
    ///   - printer: Shows what happens.
    /// - Throws: ``BluetoothError``.
    static func serve(_ dialect: BulbDialect, on radio: Radio, _ printer: EventPrinter) async throws {
        let device = LEDBulbDevice(dialect)
        let name = device.name.string
        let detail = "which speaks \(dialect.name.string)"
        try await printer.run(DeviceRunner(device, on: radio), named: name, detail: detail) { event in
            try printer.show(event, of: dialect)
        }
    }
}

extension EventPrinter {
    /// Shows what happens to a bulb, and its colour.
    func show(_ event: LEDBulbDevice.Event, of dialect: BulbDialect) throws(OutputError) {
        switch event {
        case .connected(let link, let peer): try show(LinkConnected(link: link, peer))
        case .disconnected(let link): try show(LinkDisconnected(link: link))
        case .subscribed(let link, let handle, let subscription):
            let state = ServedAttribute(handle, dialect.reports?.characteristic, title: "its state")
            if subscription.isEmpty {
                try show(ClientUnsubscribed(link, state))
            } else {
                try show(
                    ClientSubscribed(
                        link, state, notify: subscription.contains(.notify),
                        indicate: subscription.contains(.indicate)))
            }
        case .written(let link, let handle, let octets, let command):
            let place = ServedAttribute(handle, dialect.control.characteristic)
            try show(
                AttributeWritten(
                    link, place, octets, reason: command == nil ? "it means nothing to this bulb" : nil))
        case .shines(let state):
            // While an effect plays, as an eye would see it: bright.
            try show(BulbShines(state), patches: [state.shown ?? .white])
        case .stateSent(let link, let state): try show(BulbStateSent(link, state))
        }
    }
}
