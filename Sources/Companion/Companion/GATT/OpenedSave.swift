// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire

/// A saved device that is looked at without a link to it: all that its file says, at its handles.
public struct OpenedSave: EventPart, Sendable {
    /// What a list shows of it.
    public let entry: SavedDeviceEntry
    /// What it advertised, if that was heard.
    public let advertisement: [UInt8]?
    /// What it answered to a scan request, if that was heard.
    public let scanResponse: [UInt8]?
    /// What both say, structure by structure.
    public var structures: [AdvertisedStructure] = []
    private let mtu: Int?
    private var services: [GATT.Service] = []
    private var readings: [AttributeHandle: GATTTree.Reading] = [:]
    private var last: AttributeHandle = 0

    /// Reads its file.
    ///
    /// - Parameters:
    ///   - entry: What a list shows of it.
    ///   - file: What `gatt tree --output` writes, or was written by hand.
    /// - Throws: ``JSONDecodingError``, with its line, where the file cannot be laid out.
    public init(_ entry: SavedDeviceEntry, file: [UInt8]) throws(JSONDecodingError) {
        self.entry = entry
        let node = try JSONReader.read(file)
        advertisement = try node.member("advertisement").map { data throws(JSONDecodingError) in
            try data.octets("the advertisement", atMost: 1650)
        }
        scanResponse = try node.member("scan_response").map { data throws(JSONDecodingError) in
            try data.octets("the scan response", atMost: 1650)
        }
        mtu = try node.member("mtu").map { mtu throws(JSONDecodingError) in
            try mtu.number("the MTU", in: 23...0xFFFF)
        }
        for service in try ReplayDevice.inOrder(try node.list("services")) { try add(service) }
    }

    private mutating func next(_ wanted: JSONNode?, _ node: JSONNode) throws(JSONDecodingError)
        -> AttributeHandle
    {
        last = try node.handle(wanted, after: last)
        return last
    }

    private mutating func add(_ node: JSONNode) throws(JSONDecodingError) {
        let uuid = try node.needed("uuid").uuid("a service")
        let handle = try next(node.member("handle"), node)
        var service = GATT.Service(uuid: uuid, handle: handle, endHandle: handle)
        service.isPrimary = try node.member("primary")?.flag("\"primary\"") ?? true
        for include in try node.list("includes") {
            let start =
                try include.member("handle").map { node throws(JSONDecodingError) in try node.handle() } ?? 0
            let end = try include.member("end_handle").map { node throws(JSONDecodingError) in
                try node.handle()
            }
            service.includes.append(
                GATT.Include(
                    handle: try next(include.member("declaration_handle"), include),
                    uuid: try include.needed("uuid").uuid("an included service"), startHandle: start,
                    endHandle: end ?? start))
        }
        for characteristic in try node.list("characteristics") {
            service.characteristics.append(try self.characteristic(characteristic))
        }
        let end =
            try node.member("end_handle").map { end throws(JSONDecodingError) in try end.handle() } ?? last
        service.endHandle = max(end, last)
        last = service.endHandle
        services.append(service)
    }

    private mutating func characteristic(_ node: JSONNode) throws(JSONDecodingError) -> GATT.Characteristic {
        let uuid = try node.needed("uuid").uuid("a characteristic")
        let handle = try next(node.member("handle"), node)
        let valueHandle = try next(node.member("value_handle"), node)
        readings[valueHandle] = try node.reading()
        var made = GATT.Characteristic(
            uuid: uuid, handle: handle, valueHandle: valueHandle, endHandle: valueHandle,
            properties: try node.properties())
        for child in try node.list("descriptors") {
            let descriptor = GATT.Descriptor(
                uuid: try child.needed("uuid").uuid("a descriptor"),
                handle: try next(child.member("handle"), child))
            readings[descriptor.handle] = try child.reading()
            made.descriptors.append(descriptor)
        }
        made.endHandle = last
        return made
    }

    /// Declares its fields.
    public static func describe(_ schema: inout EventSchema<Self>) {
        schema.object("save", "What a list shows of it.") { $0.entry }
        schema.integer("mtu", "The longest packet of the attribute protocol, in octets, where the file says.")
        {
            $0.mtu
        }
        schema.octets("octets", "What it advertised, if that was heard.") { $0.advertisement }
        schema.octets("scan_response_octets", "What it answered to a scan request, if that was heard.") {
            $0.scanResponse
        }
        schema.list("structures", "What both say, in the order in which it stands.") { $0.structures }
        schema.list("services", "Its services, in the order of their handles.") { save in
            save.services.map { ServiceShape(service: $0, readings: save.readings) }
        }
    }
}

extension JSONNode {
    /// What was read of an attribute.
    fileprivate func reading() throws(JSONDecodingError) -> GATTTree.Reading {
        if let octets = try attributeValue() {
            guard let why = try member("incomplete") else { return .value(octets) }
            return .firstPart(octets, try why.text("\"incomplete\""))
        }
        let code = try member("error_code").map { code throws(JSONDecodingError) in
            ATT.ErrorCode(rawValue: UInt8(try code.number("an error code", in: 1...255)))
        }
        let words = try member("error").map { error throws(JSONDecodingError) in try error.text("an error") }
        guard let words = words ?? code?.description else { return .notReadable }
        return .refused(words, code)
    }
}
