// SPDX-License-Identifier: Apache-2.0

import BLEWire
import HubModel
import WiFiSet

/// What WiFiSet devices say, as scripts get it: one JSON object each; never a password.
enum WiFiJSON {
    /// A network of the list.
    static func network(_ network: WiFiNetwork) -> String {
        event("network") { json in
            json.field("ssid", network.isHidden ? nil : network.ssid.validString)
            json.field("ssid_hex", network.ssid.octets.hexadecimal)
            json.field("hidden", network.isHidden)
            json.field("rssi", network.rssi)
            json.field("security", network.security.slug.description)
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
            json.field("address", device.address.description)
            json.field("name", device.name?.string)
            json.field("mtu", device.mtu)
        }
    }

    /// What the device says of the credentials.
    static func acknowledgment(_ status: WiFiAcknowledgment, attempt: Int) -> String {
        event("ack") { json in
            json.field("status", status.slug.description)
            json.field("attempt", attempt)
        }
    }

    /// The state of the device's Wi-Fi.
    static func status(_ status: WiFiStatus) -> String {
        event("status") { json in
            json.field("state", status.state.slug.description)
            json.field("rssi", status.rssi)
            json.field("ip", status.addressText)
            json.field("ssid", status.ssid.validString)
            json.field("ssid_hex", status.ssid.octets.hexadecimal)
        }
    }

    /// An error that the device reports.
    static func error(_ report: WiFiErrorReport) -> String {
        event("error") { json in
            json.field("code", report.code.rawValue)
            json.field("name", report.code.slug.description)
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
