// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import BluetoothLE
import Companion

/// A device as all its reports together show it.
struct SeenDevice: Sendable {
    /// Whose reports these are.
    let peer: Peer
    /// The octets of the last advertisement.
    private(set) var advertisement: [UInt8]?
    /// The octets of the last scan response.
    private(set) var scanResponse: [UInt8]?
    /// Whether it accepts links, once an advertisement has said so.
    private(set) var isConnectable: Bool?
    /// What it says about itself.
    private(set) var says = AdvertisedFacts()
    /// With what power the last report was sent that was said outside of its data, in dBm.
    private var headerPower: Int8?
    /// How strong the last report was, in dBm.
    private(set) var rssi: Int8?
    /// How strong the last reports were on average, in dBm.
    private(set) var strength: Double?
    /// When the last report came.
    private(set) var lastHeard: Timestamp

    /// Starts with the first report.
    init(_ first: Advertisement, at now: Timestamp) {
        peer = first.peer
        lastHeard = now
        take(first, at: now)
    }

    /// Takes another report of the same address.
    ///
    /// - Parameters:
    ///   - report: The advertisement or scan response.
    ///   - now: When it came.
    /// - Returns: Whether it says anything new; strength alone is nothing new.
    @discardableResult
    mutating func take(_ report: Advertisement, at now: Timestamp) -> Bool {
        lastHeard = now
        if let heard = report.rssi {
            rssi = heard
            strength = strength.map { $0 + (Double(heard) - $0) * 0.2 } ?? Double(heard)
        }
        if let power = report.txPower { headerPower = power }
        let before = (advertisement, scanResponse, isConnectable)
        if report.isScanResponse {
            scanResponse = report.data.octets
        } else {
            advertisement = report.data.octets
            isConnectable = report.isConnectable
        }
        guard before != (advertisement, scanResponse, isConnectable) else { return false }
        says = AdvertisedFacts(advertisement: advertisement, scanResponse: scanResponse)
        return true
    }

    /// With what power it sends, in dBm, as its data or the header of an extended advertisement says.
    var txPower: Int8? { says.txPower ?? headerPower }

    /// The event `advertisement` as scripts get it.
    ///
    /// - Parameter time: The time of the event.
    /// - Returns: One JSON object without a line end.
    func eventJSON(at time: Timestamp) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "advertisement")
            json.device(peer)
            json.field("rssi", rssi)
            json.field("connectable", isConnectable)
            json.field("name", says.name)
            json.key("services")
            json.array { json in
                for uuid in says.services { json.value(uuid.description) }
            }
            json.key("manufacturer_data")
            json.array { json in
                for entry in says.manufacturerData {
                    json.object { json in
                        json.field("company", entry.company.hexadecimal)
                        json.field("data", entry.data.hexadecimal)
                    }
                }
            }
            json.key("service_data")
            json.array { json in
                for entry in says.serviceData {
                    json.object { json in
                        json.field("uuid", entry.uuid.description)
                        json.field("data", entry.data.hexadecimal)
                    }
                }
            }
            json.field("tx_power", txPower)
            json.field("appearance", says.appearance)
            json.field("data", (advertisement ?? []).hexadecimal)
            json.field("scan_response", scanResponse?.hexadecimal)
            json.field("time", time)
        }
        return json.text
    }
}
