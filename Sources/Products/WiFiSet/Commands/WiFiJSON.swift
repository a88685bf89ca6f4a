// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import WiFiSet

/// What WiFiSet devices say, as scripts get it: one JSON object each; never a password.
enum WiFiJSON {
    /// What the session tells; `nil` for what scripts are not told.
    static func line(_ event: WiFiSetEvent) -> String? {
        switch event {
        case .network(let network): self.network(network)
        case .acknowledged(let status, let attempt): acknowledgment(status, attempt: attempt)
        case .status(let status): self.status(status)
        case .error(let report): error(report)
        default: nil
        }
    }

    /// A network of the list.
    static func network(_ network: WiFiNetwork) -> String {
        event("network") { json in
            name(network.ssid, isHidden: network.isHidden, into: &json)
            json.field("hidden", network.isHidden)
            json.field("rssi", network.rssi)
            json.field("security", network.security.keyword.description)
            json.field("security_code", network.security.rawValue)
            json.field("channel", network.channel)
        }
    }

    /// The end of the list.
    static func end(_ list: WiFiNetworkList) -> String {
        event("end") { json in
            json.field("count", list.count)
            json.field("received", list.networks.count)
            json.field("sequence_gaps", list.sequenceGaps)
            json.field("duplicates", list.duplicates)
        }
    }

    /// The device that will be written to.
    static func device(_ device: WiFiConversation.Device) -> String {
        event("device") { json in
            json.field("address", device.peer.plain)
            json.field("name", device.name?.string)
            json.field("mtu", device.mtu)
        }
    }

    /// What the device says of the credentials.
    static func acknowledgment(_ status: WiFiAcknowledgment, attempt: Int) -> String {
        event("ack") { json in
            json.field("status", status.keyword.description)
            json.field("attempt", attempt)
        }
    }

    /// The state of the device's Wi-Fi.
    static func status(_ status: WiFiStatus) -> String {
        event("status") { fields(of: status, into: &$0) }
    }

    /// What a status says, for whoever tells it.
    static func fields(of status: WiFiStatus, into json: inout JSONWriter) {
        json.field("state", status.state.keyword.description)
        json.field("rssi", status.rssi)
        json.field("ip", status.addressText)
        name(status.ssid, into: &json)
    }

    /// A network's name: `null` when it is hidden or not UTF-8; its octets are always there.
    static func name(_ ssid: WireText, isHidden: Bool = false, into json: inout JSONWriter) {
        json.field("ssid", isHidden ? nil : ssid.validString)
        json.field("ssid_hex", ssid.octets.hexadecimal)
    }

    /// An error that the device reports.
    static func error(_ report: WiFiErrorReport) -> String {
        event("error") { json in
            json.field("code", report.code.rawValue)
            json.field("name", report.code.keyword.description)
            json.field("message", report.message.string)
        }
    }

    private static func event(_ name: String, _ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", name)
            body(&json)
        }
        return json.text
    }
}

extension WiFiStatus {
    /// The IPv4 address as people write it.
    var addressText: String {
        [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }.joined(separator: ".")
    }
}
