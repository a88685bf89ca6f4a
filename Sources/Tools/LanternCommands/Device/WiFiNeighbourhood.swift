// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Foundation
import SimulatedDevices
import WiFiSet

/// The networks around a simulated device, read from a file.
///
/// ```
/// {"networks":[{"ssid":"Home","password":"lantern-home","security":"wpa2","rssi":-50,"channel":6,"join_seconds":2,"fault":null}]}
/// ```
///
/// `ssid_hex` may stand for an `ssid` that is not text. All but the name may be missing.
struct WiFiNeighbourhood: Decodable {
    private struct Entry: Decodable {
        var ssid: String?
        var ssid_hex: String?
        var password: String?
        var security: String?
        var rssi: Int?
        var channel: Int?
        var join_seconds: Double?
        var fault: String?
    }

    private var networks: [Entry]

    /// Reads a file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The networks.
    /// - Throws: ``CommandError`` that says what cannot be understood.
    static func read(at path: String) throws(CommandError) -> [SimulatedWiFiStation.Network] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .wrongUsage("The file \(path) cannot be read. Check its name and permissions.")
        }
        let file: WiFiNeighbourhood
        do {
            file = try JSONDecoder().decode(WiFiNeighbourhood.self, from: data)
        } catch {
            throw .wrongUsage("The file \(path) is not {\"networks\":[{\"ssid\":…}, …]} in JSON.")
        }
        var networks: [SimulatedWiFiStation.Network] = []
        for (index, entry) in file.networks.enumerated() {
            do throws(Fault) {
                networks.append(try network(entry))
            } catch {
                throw .wrongUsage("Network \(index + 1) of \(path): \(error.text).")
            }
        }
        return networks
    }

    private struct Fault: Error {
        var text: String
    }

    private static func network(_ entry: Entry) throws(Fault) -> SimulatedWiFiStation.Network {
        guard
            let ssid = entry.ssid.map({ Array($0.utf8) })
                ?? entry.ssid_hex.flatMap({ [UInt8](hexadecimal: $0) })
        else { throw Fault(text: "it needs an ssid, or an ssid_hex of hex digits") }
        guard ssid.count <= WiFiSetLimit.ssid else { throw Fault(text: "an ssid has at most 32 octets") }
        let slug = entry.security ?? (entry.password == nil ? "open" : "wpa2")
        guard let security = WiFiSecurity.known.first(where: { $0.slug.description == slug }) else {
            let choices = WiFiSecurity.known.map(\.slug.description).joined(separator: ", ")
            throw Fault(text: "security is one of \(choices)")
        }
        guard let rssi = Int8(exactly: entry.rssi ?? -60) else { throw Fault(text: "rssi is -128 to 127") }
        guard let channel = UInt8(exactly: entry.channel ?? 1) else {
            throw Fault(text: "channel is 0 to 255")
        }
        let seconds = entry.join_seconds ?? 2
        guard seconds >= 0, seconds <= 86_400 else { throw Fault(text: "join_seconds is 0 to 86400") }
        var fault: SimulatedWiFiStation.Network.Fault?
        if let word = entry.fault {
            fault = .init(rawValue: word)
            guard fault != nil else {
                throw Fault(text: "fault is null, wrong_password, no_answer or storage")
            }
        }
        return SimulatedWiFiStation.Network(
            WiFiNetwork(ssid: WireText(ssid), rssi: rssi, security: security, channel: channel),
            password: entry.password.map { Array($0.utf8) },
            joinMilliseconds: UInt64((seconds * 1000).rounded()), fault: fault)
    }
}
