// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WiFiSet

/// What WiFiSet devices say, in sentences that tell a person what to do next.
enum WiFiText {
    /// A network's name, as it can be shown.
    static func name(_ ssid: WireText) -> String {
        ssid.octets.allSatisfy { $0 == 0 } ? "(hidden)" : TerminalText.escaped(ssid.string)
    }

    /// A characteristic of a WiFiSet device as the document calls it.
    static func name(ofCharacteristic uuid: BluetoothUUID) -> String {
        switch uuid {
        case WiFiSetUUID.wifiList: "WiFi List"
        case WiFiSetUUID.credentialWrite: "Credential Write"
        case WiFiSetUUID.status: "Status"
        default: "another characteristic"
        }
    }

    /// What to say of a link whose MTU is smaller than the document wants; nothing otherwise.
    static func note(onMTU mtu: Int) -> String? {
        guard mtu < WiFiSetLimit.comfortableMTU else { return nil }
        return "The device takes only \(mtu - 3) octets at a time (MTU \(mtu)); it works, but slower."
    }

    /// The state of the device's Wi-Fi.
    static func sentence(_ status: WiFiStatus) -> String {
        let name = name(status.ssid)
        switch status.state {
        case .notConfigured:
            return "The device has no Wi-Fi credentials yet: give it some with `wifi provision`."
        case .configured:
            return "The device knows “\(name)” but is not connected to it: wait a little, or give it other "
                + "credentials with `wifi provision`."
        case .connecting: return "The device is connecting to “\(name)”; ask again in half a minute."
        case .connected:
            return "The device is connected to “\(name)”: \(status.addressText), \(status.rssi) dBm."
        case .failed:
            let back = status.ssid.isEmpty ? "" : " It returns to “\(name)”, which has worked before."
            return
                "The device could not join the network: check its name and password, then try `wifi provision` "
                + "again.\(back)"
        default:
            return
                "The device is in the state \(status.state.rawValue), which this version does not know: update "
                + "Lantern."
        }
    }

    /// What the device says of credentials.
    static func sentence(_ status: WiFiAcknowledgment) -> String {
        switch status {
        case .stored: "The device has taken the credentials."
        case .invalidSSIDLength: "The device refused the network's name: give one of 1 to 32 octets."
        case .invalidPasswordLength:
            "The device refused the password's length: give one of at most 63 octets."
        case .storageFailure:
            "The device could not keep the credentials: restart it, then try again; its memory may be full."
        default:
            "The device refused the credentials for the reason \(status.rawValue), which this version does not know: "
                + "update Lantern, then try again."
        }
    }

    /// An error that the device reports.
    static func sentence(_ report: WiFiErrorReport) -> String {
        let advice =
            switch report.code {
            case .invalidMessage:
                "The device did not understand a message: update its firmware, then try again."
            case .scanFailed: "The device could not look for networks: restart it, then try again."
            case .credentialWriteFailed: "The device could not take the credentials: try again."
            case .storageError: "The device could not store something: restart it, then try again."
            case .connectionTimeout:
                "The network did not answer the device: check that it is in reach, and its name, then try again."
            case .unknownMessageType: "The device does not know a message: update its firmware."
            default:
                "The device reports the error \(report.code.rawValue), which this version does not know: update Lantern, "
                    + "then try again."
            }
        let text = report.message.string
        return text.isEmpty ? advice : "\(advice) (It says: \(TerminalText.escaped(text)).)"
    }

    /// Why a run of credentials has ended without success.
    static func sentence(_ outcome: WiFiOutcome) -> String {
        switch outcome {
        case .connected(let status): sentence(status)
        case .refused(let status): sentence(status)
        case .failed(let report?): sentence(report)
        case .failed(nil): "The device could not join the network: check the password and the network's name."
        case .notAcknowledged(let report?): sentence(report)
        case .notAcknowledged(nil):
            "The device did not answer three times: restart it, then try again."
        case .noResult: "The device took the credentials and then said nothing more: ask with `wifi status`."
        case .writeFailed(let failure): "The credentials could not be written: \(failure). Try again."
        case .disconnected: "The link ended before the device was in the network: try again."
        }
    }

    /// Why there is no list.
    static func sentence(_ failure: WiFiListFailure) -> String {
        switch failure {
        case .timeout(let received):
            "The list of networks was asked for three times and never ended (\(received) came). Restart the device, "
                + "then try again."
        case .error(let report): sentence(report)
        case .refused(let failure):
            "The device did not let its list be asked for: \(failure). Update its firmware, then try again."
        case .disconnected: "The link ended before the list was complete: try again."
        }
    }

    /// Networks as a table: bars, lock, name, strength, channel, security.
    static func table(_ networks: [WiFiNetwork], on terminal: Terminal, numbered: Bool = false) -> [String] {
        let names = networks.map { name($0.ssid) }
        let tails = networks.map { network in
            TerminalText.rightAligned("\(network.rssi)", columns: 5) + " dBm  channel "
                + TerminalText.rightAligned("\(network.channel)", columns: 3) + "  " + network.security.words
        }
        let used = (numbered ? 15 : 10) + (tails.map { TerminalText.width($0) }.max() ?? 0)
        let widest = names.map { TerminalText.width($0) }.max() ?? 0
        let room = min(widest, max(12, terminal.columns - min(terminal.columns, used)))
        return networks.indices.map { index in
            let network = networks[index]
            let bars = ["▁", "▃", "▅", "▇"].enumerated().map { $0.offset < network.bars ? $0.element : " " }
                .joined()
            let style: Terminal.Style = network.bars >= 3 ? .green : network.bars == 2 ? .yellow : .red
            let lock = network.security == .open ? "  " : "🔒"
            let number = numbered ? TerminalText.rightAligned("\(index + 1)", columns: 3) + "  " : ""
            let shown = TerminalText.padded(
                TerminalText.fitted(names[index], columns: room), columns: room)
            return number + terminal.styled(bars, style) + "  " + lock + "  " + shown
                + terminal.styled(tails[index], .dim)
        }
    }
}

extension WiFiSecurity {
    /// The security for a person.
    var words: String {
        switch self {
        case .open: "open"
        case .wep: "WEP"
        case .wpa2: "WPA/WPA2"
        case .wpa2Enterprise: "Enterprise, not possible"
        case .wpa3: "WPA3"
        default: "unknown (\(rawValue))"
        }
    }
}
