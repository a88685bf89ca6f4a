// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire
import ProductRegistry

/// A device was heard for the first time, or advertises something else than before.
public struct AdvertisementHeard: Event, Sendable {
    /// Its name in JSON.
    public static let name: StaticString = "advertisement"
    /// When it happens.
    public static let summary: StaticString =
        "A device was heard first, or what it says has changed; with --all, each report."

    /// The device.
    public let device: SeenDevice

    /// Makes the event.
    public init(_ device: SeenDevice) { self.device = device }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { Optional($0.device.peer) }
        schema.integer("rssi", "How strong the last report was, in dBm.") { $0.device.rssi }
        schema.flag("connectable", "Whether it accepts links, where that is known.") {
            $0.device.isConnectable
        }
        schema.text("name", "What it calls itself, if it does.") { $0.device.advertised.name }
        schema.list("services", "The UUIDs of the services that it names.") {
            $0.device.advertised.services.map { $0.description }
        }
        schema.list(
            "service_names", "What these are called, in the same order; the UUID of one without a name."
        ) {
            $0.device.advertised.services.map { UUIDNames.name(ofService: $0) ?? $0.description }
        }
        schema.include { PartyDataJSON($0.device.advertised) }
        schema.integer("tx_power", "With what power it sends, in dBm, where it says so.") {
            $0.device.txPower
        }
        schema.integer("appearance", "The code of what it looks like, where it says so.") {
            $0.device.advertised.appearance
        }
        schema.text("appearance_name", "What that is, if the Bluetooth SIG has named it.") {
            $0.device.advertised.appearance.flatMap(AssignedNumbers.name(ofAppearance:))
        }
        schema.octets("octets", "The data of its last advertisement.") { $0.device.advertisement ?? [] }
        schema.octets("scan_response_octets", "The data of its last scan response, if one has come.") {
            $0.device.scanResponse
        }
    }
}

/// What companies and services have a device say.
struct PartyDataJSON: EventPart {
    private let advertised: AdvertisedFacts

    init(_ advertised: AdvertisedFacts) { self.advertised = advertised }

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.list("manufacturer_data", "What companies have it say.") {
            $0.advertised.manufacturerData.map {
                ManufacturerJSON(company: $0.company, octets: Array($0.data))
            }
        }
        schema.list("service_data", "What its services have it say.") {
            $0.advertised.serviceData.map { ServiceJSON(uuid: $0.uuid, octets: Array($0.data)) }
        }
    }
}

private struct ManufacturerJSON: EventPart {
    let company: UInt16
    let octets: [UInt8]

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("company", "The company's number, four hex digits.") { $0.company.hexadecimal }
        schema.text("name", "The company, if it is known.") { AssignedNumbers.name(ofCompany: $0.company) }
        schema.octets("octets", "What it has said.") { $0.octets }
    }
}

private struct ServiceJSON: EventPart {
    let uuid: BluetoothUUID
    let octets: [UInt8]

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "The service.") { $0.uuid.description }
        schema.text("name", "What it is called, if that is known.") { UUIDNames.name(ofService: $0.uuid) }
        schema.octets("octets", "What it has said.") { $0.octets }
    }
}

/// A device in a list of those that a scan has heard.
public struct DiscoveredDeviceJSON: EventPart {
    let device: SeenDevice

    /// Makes the part.
    public init(_ device: SeenDevice) { self.device = device }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { Optional($0.device.peer) }
        schema.integer("rssi", "How strong it was, in dBm.") { $0.device.rssi }
        schema.flag("connectable", "Whether it accepts links, where that is known.") {
            $0.device.isConnectable
        }
        schema.text("name", "What it calls itself, if it does.") { $0.device.advertised.name }
    }
}
