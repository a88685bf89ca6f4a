// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire
public import Companion
import ProductRegistry

extension AdvertisedStructure {
    /// Reads what a device advertises, structure by structure.
    ///
    /// - Parameters:
    ///   - advertisement: The octets of its advertisement, if it was heard.
    ///   - scanResponse: The octets of its scan response, if it was heard.
    /// - Returns: Everything that is there, also what makes no sense.
    public static func all(advertisement: [UInt8]?, scanResponse: [UInt8]?) -> [AdvertisedStructure] {
        structures(of: advertisement ?? [], isScanResponse: false)
            + structures(of: scanResponse ?? [], isScanResponse: true)
    }

    private static func structures(of octets: [UInt8], isScanResponse: Bool) -> [AdvertisedStructure] {
        let data = AdvertisingData(octets)
        var found: [AdvertisedStructure] = []
        for structure in data {
            var text: String?
            var fault: String?
            do throws(AdvertisingDataError) {
                text = words(for: try data.element(of: structure))
            } catch {
                fault = error.error.description
            }
            found.append(
                AdvertisedStructure(
                    isScanResponse: isScanResponse, type: structure.type.rawValue,
                    octets: Array(data.data(of: structure)), text: text, fault: fault))
        }
        if let offset = data.fault {
            let (wanted, there) = (Int(octets[offset]), octets.count - offset - 1)
            found.append(
                AdvertisedStructure(
                    isScanResponse: isScanResponse, type: nil, octets: Array(octets[offset...]), text: nil,
                    fault: "it should have \(wanted) octets, and \(there) are left"))
        }
        return found
    }

    /// What a structure says, in words; `nil` when nothing more than its octets is known.
    static func words(for element: AdvertisingElement) -> String? {
        switch element {
        case .flags(let flags): words(for: flags)
        case .services(let uuids, _, _), .solicitedServices(let uuids, _):
            uuids.isEmpty ? "None" : uuids.map { name($0) }.joined(separator: ", ")
        case .serviceData(let data): "\(name(data.uuid)), \(count(data.data))"
        case .completeName(let name), .shortenedName(let name), .broadcastName(let name):
            WireText(name: name.octets)?.string ?? "None"
        case .txPower(let power): "\(power) dBm"
        case .appearance(let code):
            AssignedNumbers.name(ofAppearance: code) ?? "0x" + code.hexadecimal
        case .manufacturerData(let data):
            "\(AssignedNumbers.name(ofCompany: data.company) ?? "Company 0x" + data.company.hexadecimal), \(count(data.data))"
        case .connectionIntervals(let range): words(for: range)
        case .advertisingInterval(let interval): "\(milliseconds(interval.microseconds)) ms"
        case .deviceAddress(let address): address.description
        case .targets(let addresses, _): addresses.map { $0.description }.joined(separator: ", ")
        case .role(let role): words(for: role)
        case .uri(let uri): (AssignedNumbers.name(ofURIScheme: uri.scheme) ?? "") + uri.rest.string
        case .deviceID(let id):
            "Maker 0x\(id.vendor.hexadecimal), product 0x\(id.product.hexadecimal), version 0x\(id.version.hexadecimal)"
        default: nil
        }
    }

    private static func words(for flags: AdvertisingFlags) -> String {
        let all: [(AdvertisingFlags, String)] = [
            (.limitedDiscoverable, "Limited"), (.generalDiscoverable, "General"), (.noBREDR, "LE only"),
            (.simultaneousController, "LE and BR/EDR at once"),
        ]
        let set = all.filter { flags.contains($0.0) }.map { $0.1 }
        return set.isEmpty ? "None" : set.joined(separator: ", ")
    }

    private static func words(for range: ConnectionIntervalRange) -> String {
        let words = [range.minimum, range.maximum].map { interval in
            interval.map { milliseconds($0.microseconds) } ?? "any"
        }
        return words[0] == words[1] ? "\(words[0]) ms" : "\(words[0]) to \(words[1]) ms"
    }

    private static func words(for role: LERole) -> String? {
        switch role {
        case .peripheralOnly: "Peripheral only"
        case .centralOnly: "Central only"
        case .peripheralPreferred: "Peripheral or central, best as peripheral"
        case .centralPreferred: "Peripheral or central, best as central"
        default: nil
        }
    }

    private static func name(_ uuid: BluetoothUUID) -> String {
        UUIDNames.name(ofService: uuid) ?? uuid.pageText
    }

    private static func count(_ octets: [UInt8]) -> String {
        octets.count == 1 ? "1 octet" : "\(octets.count) octets"
    }

    /// Without a point where there is nothing behind it.
    private static func milliseconds(_ microseconds: UInt64) -> String {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return "\(whole)" }
        var digits = String(String(1000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
