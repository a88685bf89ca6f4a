// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEAssignedNumbers
import BLEWire

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
    ///
    /// - Parameter device: The device as it is now.
    public init(_ device: SeenDevice) { self.device = device }

    /// Declares its fields.
    public static func describe(_ shape: inout EventShape<Self>) {
        shape.device { Optional($0.device.peer) }
        shape.integer("rssi", "How strong the last report was, in dBm.") { $0.device.rssi }
        shape.flag("connectable", "Whether it accepts links, where that is known.") {
            $0.device.isConnectable
        }
        shape.text("name", "What it calls itself, if it does.") { $0.device.advertised.name }
        shape.list("services", "The UUIDs of the services that it names.") {
            $0.device.advertised.services.map { $0.description }
        }
        shape.list(
            "service_names", "What these are called, in the same order; the UUID of one without a name."
        ) {
            $0.device.advertised.services.map { UUIDNames.name(ofService: $0) ?? $0.description }
        }
        shape.include { PartyDataParts($0.device.advertised) }
        shape.integer("tx_power", "With what power it sends, in dBm, where it says so.") { $0.device.txPower }
        shape.integer("appearance", "The code of what it looks like, where it says so.") {
            $0.device.advertised.appearance
        }
        shape.text("appearance_name", "What that is, if the Bluetooth SIG has named it.") {
            $0.device.advertised.appearance.flatMap(AssignedNumbers.name(ofAppearance:))
        }
        shape.octets("octets", "The data of its last advertisement.") { $0.device.advertisement ?? [] }
        shape.octets("scan_response_octets", "The data of its last scan response, if one has come.") {
            $0.device.scanResponse
        }
    }
}

/// What companies and services have a device say.
struct PartyDataParts: EventPart {
    private let advertised: AdvertisedFacts

    init(_ advertised: AdvertisedFacts) { self.advertised = advertised }

    static func describe(_ shape: inout EventShape<Self>) {
        shape.list("manufacturer_data", "What companies have it say.") {
            $0.advertised.manufacturerData.map {
                ManufacturerPart(company: $0.company, octets: Array($0.data))
            }
        }
        shape.list("service_data", "What its services have it say.") {
            $0.advertised.serviceData.map { ServicePart(uuid: $0.uuid, octets: Array($0.data)) }
        }
    }
}

private struct ManufacturerPart: EventPart {
    let company: UInt16
    let octets: [UInt8]

    static func describe(_ shape: inout EventShape<Self>) {
        shape.text("company", "The company's number, four hex digits.") { $0.company.hexadecimal }
        shape.text("name", "The company, if it is known.") { AssignedNumbers.name(ofCompany: $0.company) }
        shape.octets("octets", "What it has said.") { $0.octets }
    }
}

private struct ServicePart: EventPart {
    let uuid: BluetoothUUID
    let octets: [UInt8]

    static func describe(_ shape: inout EventShape<Self>) {
        shape.text("uuid", "The service.") { $0.uuid.description }
        shape.text("name", "What it is called, if that is known.") { UUIDNames.name(ofService: $0.uuid) }
        shape.octets("octets", "What it has said.") { $0.octets }
    }
}

/// A device in a list of those that a scan has heard.
public struct HeardDevicePart: EventPart {
    let device: SeenDevice

    /// Makes the part.
    ///
    /// - Parameter device: The device.
    public init(_ device: SeenDevice) { self.device = device }

    /// Declares its fields.
    public static func describe(_ shape: inout EventShape<Self>) {
        shape.device { Optional($0.device.peer) }
        shape.integer("rssi", "How strong it was, in dBm.") { $0.device.rssi }
        shape.flag("connectable", "Whether it accepts links, where that is known.") {
            $0.device.isConnectable
        }
        shape.text("name", "What it calls itself, if it does.") { $0.device.advertised.name }
    }
}
