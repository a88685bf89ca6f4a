// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import HubModel
import ProductRegistry
import Testing

@Suite("What a device is by what it advertises")
struct RecognizedDevicesTests {
    private static let flockFinder = "4FAFC201-1FB5-459E-8FCC-C5C9C331914B"
    private static let improv = "00467768-6228-2272-4663-277478268000"
    private static let nightlight = "7A5A0000-D04B-48EB-B3FA-32EB4F0FFAC4"

    private func kind(_ services: [String], _ name: String?) throws -> HubDevice.Kind {
        var facts = AdvertisedFacts()
        facts.name = name
        facts.services = try services.map { try #require(BluetoothUUID($0)) }
        return HubDevice.Kind(facts)
    }

    @Test(arguments: [
        ("FlockFinder-S3", HubDevice.Kind.flockFinder), ("my flock-finder", .flockFinder), ("Flock", .other),
        ("ESP32-WiFiSet", .wifiSet), ("ESP32", .other), ("feather s3", .other),
        ("Nightlight of Mia", .nightlight),
        ("Triones-0B02", .bulb), ("LEDBLE-01", .bulb), ("ELK-BLEDOM", .bulb), ("MELK-OA", .bulb),
        ("Colorific", .bulb),
        ("LEDnetWF0200", .bulb), ("BJ_LED_M", .bulb), ("XROCKER", .bulb), ("", .other),
    ])
    func aNameAloneSaysIt(name: String, kind: HubDevice.Kind) throws {
        #expect(try self.kind([], name) == kind)
    }

    @Test func eachKindIsOneThatAProductSays() {
        for product in Products.all where product.recognition != nil {
            #expect(HubDevice.Kind(rawValue: product.deviceKind) != nil, "\(product.name)")
        }
        for kind in HubDevice.Kind.allCases { #expect(kind.recognitions.isEmpty == (kind == .other)) }
    }

    /// What stands first wins, as far as a device says several things.
    @Test func whatCountsIsInThisOrder() throws {
        let services = [Self.flockFinder, Self.improv, Self.nightlight, "FFD5", "FFE5", "FFF0"]
        let words = ["FlockFinder", "WiFiSet", "Nightlight", "Triones", "Lamp"]
        for chosen in 0..<1 << services.count {
            let offered = services.indices.filter { chosen >> $0 & 1 == 1 }.map { services[$0] }
            for named in 0..<1 << words.count {
                let said = words.indices.filter { named >> $0 & 1 == 1 }.map { words[$0] }
                let (name, offers) = (said.joined(separator: " "), offered.contains)
                let expected: HubDevice.Kind =
                    if offers(Self.flockFinder), !said.contains("WiFiSet") {
                        .flockFinder
                    } else if offers(Self.improv) || said.contains("WiFiSet") {
                        .wifiSet
                    } else if offers(Self.nightlight) || said.contains("Nightlight") {
                        .nightlight
                    } else if offers("FFD5") || offers("FFE5") || said.contains("Triones") {
                        .bulb
                    } else {
                        said.contains("FlockFinder") ? .flockFinder : .other
                    }
                #expect(try kind(offered, name) == expected, "\(name) with \(offered)")
            }
        }
    }
}
