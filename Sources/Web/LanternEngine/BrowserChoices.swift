// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import HubModel
import ProductRegistry

/// By what a browser lets people choose devices, and what it then lets the page use of them.
enum BrowserChoices {
    /// A UUID that no browser lets a page use, and why.
    struct Blocked {
        let uuid: BluetoothUUID
        let reason: String
    }

    /// Services that the pages use, whatever the device.
    private static var services: [BluetoothUUID] {
        var services = [
            BluetoothUUID(0x1800), BluetoothUUID(0x1801), BluetoothUUID(0x180D), BluetoothUUID(0x181A),
        ]
        for product in Products.all {
            guard let recognition = product.recognition else { continue }
            services += recognition.services + recognition.usedServices
        }
        return services
    }

    /// Services that browsers keep from pages.
    ///
    /// Spec: Web Bluetooth, 7.5, the GATT blocklist.
    static let blocked: [Blocked] = [
        Blocked(
            uuid: BluetoothUUID(0x1812),
            reason: "Browsers keep keyboards, mice and other input devices (1812) from pages. Use a hub."),
        Blocked(
            uuid: BluetoothUUID(0xFFFD),
            reason: "Browsers keep security keys (FFFD) from pages. Use a hub."),
        Blocked(
            uuid: BluetoothUUID(high: 0x0000_1530_1212_EFDE, low: 0x1523_785F_EABC_D123),
            reason: "Browsers keep firmware updates of Nordic's chips from pages. Use a hub."),
        Blocked(
            uuid: BluetoothUUID(high: 0xF000_FFC0_0451_4000, low: 0xB000_0000_0000_0000),
            reason: "Browsers keep firmware updates of Texas Instruments' chips from pages. Use a hub."),
        Blocked(
            uuid: BluetoothUUID(high: 0x0006_0000_F8CE_11E4, low: 0xABF4_0002_A5D5_C51B),
            reason: "Browsers keep firmware updates of Cypress' chips from pages. Use a hub."),
    ]

    /// Writes them for the page.
    static func write(into json: inout JSONWriter) {
        json.object { json in
            json.key("radio")
            json.value("choices")
            json.key("kinds")
            json.array { json in
                for kind in HubDevice.Kind.allCases where kind != .other { write(kind, into: &json) }
            }
            write(services, into: &json)
            json.key("blocked")
            json.array { json in
                for one in blocked {
                    json.object { json in
                        json.field("uuid", one.uuid.description)
                        json.field("reason", one.reason)
                    }
                }
            }
        }
    }

    private static func write(_ kind: HubDevice.Kind, into json: inout JSONWriter) {
        let recognitions = kind.recognitions
        json.object { json in
            json.field("kind", kind.rawValue)
            write(recognitions.flatMap { $0.services }, into: &json)
            json.key("names")
            json.array { json in
                for recognition in recognitions {
                    for name in recognition.beginnings { json.value(name.string) }
                }
            }
        }
    }

    private static func write(_ services: [BluetoothUUID], into json: inout JSONWriter) {
        json.key("services")
        json.array { json in
            for uuid in Array(Set(services)).ordered(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
                json.value(uuid.description)
            }
        }
    }
}
