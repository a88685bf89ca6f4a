// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import FlockFinder
import Improv
import LEDBulb
import Nightlight
import WiFiSet

/// By what a browser lets people choose devices, and what it then lets the page use of them.
enum BrowserChoices {
    /// A kind of device, as a chooser looks for it.
    struct Choice {
        let kind: HubDevice.Kind
        /// Services of which a device advertises one.
        let services: [BluetoothUUID]
        /// How its name begins; browsers tell upper from lower case.
        let names: [String]
    }

    /// A UUID that no browser lets a page use, and why.
    struct Blocked {
        let uuid: BluetoothUUID
        let reason: String
    }

    static let all: [Choice] = [
        Choice(kind: .flockFinder, services: [FlockFinderUUID.service], names: ["FlockFinder", "Flock"]),
        Choice(kind: .wifiSet, services: [ImprovUUID.service, WiFiSetUUID.service], names: ["WiFiSet"]),
        Choice(kind: .nightlight, services: [NightlightUUID.ledService], names: ["Nightlight"]),
        Choice(
            kind: .bulb, services: LEDBulbName.services, names: BulbDialect.all.map { $0.deviceName.string }),
    ]

    /// Services that the pages use, whatever the device.
    static var services: [BluetoothUUID] {
        var services = [
            BluetoothUUID(0x1800), BluetoothUUID(0x1801), BluetoothUUID(0x180D), BluetoothUUID(0x181A),
            NightlightUUID.ledService, NightlightUUID.buttonService, NightlightUUID.scheduleService,
            NightlightUUID.batteryService, NightlightUUID.currentTimeService,
            NightlightUUID.nextDSTChangeService, NightlightUUID.deviceInformationService,
        ]
        for choice in all { services += choice.services }
        for dialect in BulbDialect.all {
            services.append(dialect.control.service)
            if let reports = dialect.reports { services.append(reports.service) }
        }
        return Array(Set(services)).ordered { ($0.high, $0.low) < ($1.high, $1.low) }
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
            json.array { json in for choice in all { choice.write(into: &json) } }
            json.key("services")
            json.array { json in for uuid in services { json.value(uuid.description) } }
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
}

extension BrowserChoices.Choice {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("kind", kind.rawValue)
            json.key("services")
            json.array { json in for uuid in services { json.value(uuid.description) } }
            json.key("names")
            json.array { json in for name in names { json.value(name) } }
        }
    }
}
