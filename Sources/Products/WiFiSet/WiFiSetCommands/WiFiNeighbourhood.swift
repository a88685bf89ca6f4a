// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import CommandIO
package import Companion
import Foundation
import WiFiSet
package import WiFiSetSimulated

/// The networks around a simulated device, read from a file.
///
/// ```
/// {"networks":[{"ssid":"Home","password":"lantern-home","security":"wpa2","rssi":-50,"channel":6,"join_seconds":2,"fault":null}]}
/// ```
///
/// Only the name must be there; `ssid_hex` stands for an `ssid` that is not text. A network without a password
/// takes any; without `security` it is `open` if it has none and `wpa2` if it has one. With `"hidden":true` a scan
/// finds no name. Beside `networks`, `scan_seconds` says how long a scan takes and `"scan_fails":true` that it
/// finds nothing out.
package struct WiFiNeighbourhood: Hashable {
    /// The most networks of a file; a list carries 255 of them.
    private static let limit = 1000
    private static let longest = 86_400.0

    /// What is around.
    package let networks: [SimulatedWiFiStation.Network]
    /// How long a scan takes, in milliseconds.
    let scanMilliseconds: UInt64
    /// Whether no scan finds anything out.
    let scanFails: Bool

    /// Reads a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandError`` that names the line that cannot be understood.
    package init(path: String) throws(CommandError) {
        let octets = try InputFile.contents(of: path, atMost: InputFile.Limit.networks)
        do throws(JSONDecodingError) {
            try self.init(json: octets)
        } catch {
            throw .wrongUsage("Line \(error.line) of \(path.shortenedPath): \(error.reason).")
        }
    }

    /// Reads JSON.
    ///
    /// - Parameter json: The octets of a file.
    /// - Throws: ``JSONDecodingError`` that names the line that cannot be understood.
    package init(json: [UInt8]) throws(JSONDecodingError) {
        let root = try JSONReader.read(json)
        try root.allow(only: ["networks", "scan_seconds", "scan_fails"])
        _ = try root.needed("networks")
        let entries = try root.list("networks")
        guard entries.count <= Self.limit else {
            throw JSONDecodingError(
                root.line, "there are \(entries.count) networks, and at most \(Self.limit) are allowed")
        }
        var networks: [SimulatedWiFiStation.Network] = []
        for entry in entries { networks.append(try Self.network(entry)) }
        self.networks = networks
        scanMilliseconds = try Self.milliseconds("scan_seconds", in: root) ?? 1500
        scanFails = try root.member("scan_fails")?.flag("scan_fails") ?? false
    }

    /// A Wi-Fi radio that hears this.
    package var station: SimulatedWiFiStation {
        SimulatedWiFiStation(networks, scanMilliseconds: scanMilliseconds, scanFails: scanFails)
    }

    private static func network(_ entry: JSONNode) throws(JSONDecodingError) -> SimulatedWiFiStation.Network {
        try entry.allow(only: [
            "ssid", "ssid_hex", "hidden", "password", "security", "rssi", "channel", "join_seconds", "fault",
        ])
        let name = try name(entry)
        let password = try entry.member("password").map { node throws(JSONDecodingError) in
            Array(try node.text("password").utf8)
        }
        if let password, password.count > WiFiSetLimit.password {
            throw JSONDecodingError(
                entry.line, "a password has at most 63 octets; this one has \(password.count)")
        }
        let security = try choice("security", of: WiFiSecurity.known, in: entry) { $0.keyword.description }
        let fault = try choice("fault", of: SimulatedWiFiStation.Network.Fault.allCases, in: entry) {
            $0.rawValue
        }
        let isHidden = try entry.member("hidden")?.flag("hidden") ?? false
        let rssi = try entry.member("rssi")?.number("rssi", in: -128...127) ?? -60
        let channel = try entry.member("channel")?.number("channel", in: 0...255) ?? 1
        return SimulatedWiFiStation.Network(
            WiFiNetwork(
                ssid: isHidden ? "" : name, rssi: Int8(clamping: rssi),
                security: security ?? (password == nil ? .open : .wpa2), channel: UInt8(clamping: channel)),
            hiddenName: name, password: password,
            joinMilliseconds: try milliseconds("join_seconds", in: entry) ?? 2000, fault: fault)
    }

    private static func name(_ entry: JSONNode) throws(JSONDecodingError) -> WireText {
        let name: WireText
        if let text = try entry.member("ssid") {
            if try entry.member("ssid_hex") != nil {
                throw JSONDecodingError(entry.line, "a network has an ssid or an ssid_hex, not both")
            }
            name = WireText(try text.text("ssid"))
        } else if let octets = try entry.member("ssid_hex") {
            name = WireText(try octets.octets("ssid_hex", atMost: WiFiSetLimit.ssid))
        } else {
            throw JSONDecodingError(entry.line, "a network needs an ssid, or an ssid_hex of hex digits")
        }
        guard name.octets.count <= WiFiSetLimit.ssid else {
            throw JSONDecodingError(
                entry.line, "an ssid has at most 32 octets; this one has \(name.octets.count)")
        }
        return name
    }

    private static func milliseconds(_ key: String, in node: JSONNode) throws(JSONDecodingError) -> UInt64? {
        try node.member(key).map { found throws(JSONDecodingError) in
            UInt64((try found.number(key, in: 0...longest) * 1000).rounded())
        }
    }

    private static func choice<Value>(
        _ key: String, of values: [Value], in entry: JSONNode, _ word: (Value) -> String
    ) throws(JSONDecodingError) -> Value? {
        guard let node = try entry.member(key) else { return nil }
        let text = try node.text(key)
        guard let found = values.first(where: { word($0) == text }) else {
            throw JSONDecodingError(
                node.line, "\(key) must be one of \(values.map(word).joined(separator: ", "))")
        }
        return found
    }
}
