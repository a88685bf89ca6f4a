// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
public import BLEGATT
import BLEWire
import ProductRegistry

extension GATTTree: Event {
    /// Its name in JSON.
    public static let name: StaticString = "gatt_tree"
    /// When it happens.
    public static let summary: StaticString = "Everything that a device offers, with all that can be read."

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.device { $0.peer }
        schema.integer("mtu", "The longest packet of the attribute protocol, in octets.") { $0.mtu }
        schema.list("services", "Its services, in the order of their handles.") { tree in
            tree.services.map { ServiceShape(service: $0, readings: tree.readings) }
        }
        schema.list("faults", "What it has said wrongly while its services were found.") { tree in
            tree.faults.map { FaultShape(fault: $0) }
        }
        schema.text("ended", "Why not everything was read, if the link did not last.") {
            $0.ending?.sentence
        }
    }
}

/// A tree with what the device advertises: the file from which `device run replay` serves the device again.
public struct SavedDevice: EventPart {
    let tree: GATTTree
    let advertisement: [UInt8]?
    let scanResponse: [UInt8]?

    /// Makes a saved device.
    public init(_ tree: GATTTree, advertisement: [UInt8]?, scanResponse: [UInt8]?) {
        self.tree = tree
        self.advertisement = advertisement
        self.scanResponse = scanResponse
    }

    /// The file: one JSON object and a line end.
    public var octets: [UInt8] {
        var json = JSONWriter()
        write(into: &json)
        return json.octets + [UInt8(ascii: "\n")]
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("name", "Its name in the GAP service, else in its advertisement.") {
            $0.tree.gapName
                ?? AdvertisedFacts(advertisement: $0.advertisement, scanResponse: $0.scanResponse).name
        }
        schema.octets("advertisement", "What it advertises.") { $0.advertisement }
        schema.octets("scan_response", "What it answers to a scan request.") { $0.scanResponse }
        schema.include { $0.tree }
    }
}

extension GATTTree {
    /// The name in the GAP service, if it was read.
    fileprivate var gapName: String? {
        services.characteristic(BluetoothUUID(0x2A00)).flatMap { self[$0.valueHandle].octets }
            .flatMap { WireText(name: $0)?.string }
    }
}

/// A service with what was read of it.
struct ServiceShape: EventPart {
    let service: GATT.Service
    let readings: [AttributeHandle: GATTTree.Reading]

    // Trees and saved devices have the same: once is enough for a page.
    @inline(never)
    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "Its UUID.") { $0.service.uuid.description }
        schema.text("name", "What the Bluetooth SIG calls it, if it does.") {
            UUIDNames.name(ofService: $0.service.uuid)
        }
        schema.integer("handle", "Its first handle.") { $0.service.handle.rawValue }
        schema.integer("end_handle", "Its last handle.") { $0.service.endHandle.rawValue }
        schema.flag("primary", "Whether it stands by itself.") { $0.service.isPrimary }
        schema.list("includes", "The services that it includes.") {
            $0.service.includes.map { IncludeShape(include: $0) }
        }
        schema.list("characteristics", "Its characteristics.") { schema in
            schema.service.characteristics.map {
                CharacteristicShape(characteristic: $0, readings: schema.readings)
            }
        }
    }
}

private struct FaultShape: EventPart {
    let fault: GATT.DiscoveryViolation

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.integer("handle", "Where.") { $0.fault.handle.rawValue }
        schema.text("text", "What is wrong.") { $0.fault.words }
    }
}

private struct IncludeShape: EventPart {
    let include: GATT.Include

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "Its UUID.") { $0.include.uuid.description }
        schema.integer("handle", "Its first handle.") { $0.include.startHandle.rawValue }
        schema.integer("end_handle", "Its last handle.") { $0.include.endHandle.rawValue }
        schema.integer("declaration_handle", "Where it is included.") { $0.include.handle.rawValue }
    }
}

private struct CharacteristicShape: EventPart {
    let characteristic: GATT.Characteristic
    let readings: [AttributeHandle: GATTTree.Reading]
    let target: AttributeTarget

    init(characteristic: GATT.Characteristic, readings: [AttributeHandle: GATTTree.Reading]) {
        self.characteristic = characteristic
        self.readings = readings
        target = .value(characteristic, readings)
    }

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "Its UUID.") { $0.characteristic.uuid.description }
        schema.text("name", "What the Bluetooth SIG calls it, if it does.") { $0.target.name }
        schema.text("description", "What the device itself calls it, if it has no other name.") {
            $0.target.userDescription
        }
        schema.integer("handle", "The handle of its declaration.") { $0.characteristic.handle.rawValue }
        schema.integer("value_handle", "The handle of its value.") { $0.characteristic.valueHandle.rawValue }
        schema.list("properties", "What can be done with it.") { $0.characteristic.properties.words }
        schema.octets("octets", "Its value, if it was read.") { $0.reading.octets }
        schema.include { MeaningJSON($0.reading.octets, of: $0.target.layout) }
        schema.refusal { $0.reading }
        schema.list("descriptors", "Its descriptors.") { schema in
            schema.characteristic.descriptors.map {
                DescriptorShape(descriptor: $0, reading: schema.readings[$0.handle] ?? .notReadable)
            }
        }
    }

    var reading: GATTTree.Reading { readings[characteristic.valueHandle] ?? .notReadable }
}

private struct DescriptorShape: EventPart {
    let descriptor: GATT.Descriptor
    let reading: GATTTree.Reading

    static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("uuid", "Its UUID.") { $0.descriptor.uuid.description }
        schema.text("name", "What the Bluetooth SIG calls it, if it does.") {
            AssignedNumbers.name(ofDescriptor: $0.descriptor.uuid)
        }
        schema.integer("handle", "Its handle.") { $0.descriptor.handle.rawValue }
        schema.octets("octets", "Its value, if it was read.") { $0.reading.octets }
        schema.include { MeaningJSON($0.reading.octets, of: ValueLayout($0.descriptor.uuid)) }
        schema.refusal { $0.reading }
    }
}

extension EventSchema {
    fileprivate mutating func refusal(_ value: (Part) -> GATTTree.Reading) {
        text("incomplete", "Why only the first part of the value was read, if there may be more.") {
            value($0).incomplete
        }
        text("error", "Why it was not read, if it should have been.") { value($0).error }
        integer("error_code", "The code of that error, if the device gave one.") {
            value($0).errorCode?.rawValue
        }
    }
}

extension GATTTree.Reading {
    /// The value, or its first part, if it was read.
    public var octets: [UInt8]? {
        switch self {
        case .value(let octets), .firstPart(let octets, _): octets
        case .notReadable, .ours, .refused: nil
        }
    }

    /// Why there may be more than was read, as part of a sentence.
    public var incomplete: String? {
        guard case .firstPart(_, let why) = self else { return nil }
        return why
    }

    /// Why there is no value, if it should be there.
    public var error: String? {
        guard case .refused(let why, _) = self else { return nil }
        return why
    }

    /// The ATT error that the device answered instead of a value.
    public var errorCode: ATT.ErrorCode? {
        guard case .refused(_, let code) = self else { return nil }
        return code
    }
}
