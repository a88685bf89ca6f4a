// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
import BLEWire

/// Lays the attributes of a saved device out again, each at its handle.
package struct ReplayLayout {
    private(set) var attributes: [GATT.Database.Attribute] = []
    private(set) var refusals: [AttributeHandle: ReplayDevice.Refusal] = [:]
    private(set) var values: [AttributeHandle: [UInt8]] = [:]
    /// Include declarations whose services may come later.
    private var includes: [(index: Int, node: JSONNode)] = []

    /// The name in the GAP service, if there is one that can be read.
    package var gapName: String? {
        guard let index = gapNameIndex, case .value(_, .stored(let octets)) = attributes[index].content else {
            return nil
        }
        return WireText(octets).string
    }

    /// Gives the device another name.
    package mutating func setGAPName(_ octets: [UInt8]) {
        guard let index = gapNameIndex, case .value(let properties, _) = attributes[index].content else {
            return
        }
        let old = attributes[index]
        refusals[old.handle] = nil
        attributes[index] = GATT.Database.Attribute(
            handle: old.handle, type: old.type, content: .value(properties, .stored(octets)),
            access: old.access)
    }

    private var gapNameIndex: Int? { attributes.firstIndex { $0.type == BluetoothUUID(0x2A00) } }

    /// Adds a service with all that is in it.
    package mutating func add(_ node: JSONNode) throws(JSONDecodingError) {
        let uuid = try node.needed("uuid").uuid("a service")
        let isPrimary = try node.member("primary")?.flag("\"primary\"") ?? true
        let start = attributes.count
        try append(
            isPrimary ? GATT.AttributeType.primaryService : GATT.AttributeType.secondaryService,
            .constant(uuid.attributeTypeOctets), at: node.member("handle"), node)
        for include in try node.list("includes") {
            includes.append((attributes.count, include))
            try append(
                GATT.AttributeType.include, .constant([]), at: include.member("declaration_handle"), include)
        }
        let wantedEnd = try node.member("end_handle").map { end throws(JSONDecodingError) in try end.handle()
        }
        for characteristic in try node.list("characteristics") {
            try add(characteristic: characteristic, upTo: wantedEnd ?? .last)
        }
        let last = attributes[attributes.count - 1].handle
        let end = wantedEnd ?? last
        guard end >= last else {
            throw JSONDecodingError(
                node.line, "the service \(uuid) ends before what is in it, at \(end.text)")
        }
        let declaration = attributes[start]
        attributes[start] = GATT.Database.Attribute(
            handle: declaration.handle, type: declaration.type, content: declaration.content, groupEnd: end)
    }

    /// Fills in the service of each include declaration.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 3.2.
    package mutating func resolveIncludes() throws(JSONDecodingError) {
        for (index, node) in includes {
            let uuid = try node.needed("uuid").uuid("an included service")
            let wanted = try node.member("handle").map { node throws(JSONDecodingError) in try node.handle() }
            let service = attributes.first { attribute in
                attribute.isService
                    && (wanted.map { $0 == attribute.handle }
                        ?? (attribute.content == .constant(uuid.attributeTypeOctets)))
            }
            guard let service else {
                throw JSONDecodingError(node.line, "there is no service \(uuid) that could be included")
            }
            var declaration = ByteWriter(capacity: 6)
            declaration.write(service.handle.rawValue)
            declaration.write(service.groupEnd.rawValue)
            if let short = uuid.short { declaration.write(short) }
            attributes[index] = GATT.Database.Attribute(
                handle: attributes[index].handle, type: GATT.AttributeType.include,
                content: .constant(declaration.octets))
        }
    }

    /// Adds a characteristic of a service that ends at a handle; a value that the device has said to be outside of it is
    /// said to be there again, and is not there.
    private mutating func add(characteristic node: JSONNode, upTo end: AttributeHandle)
        throws(JSONDecodingError)
    {
        let uuid = try node.needed("uuid").uuid("a characteristic")
        let properties = try node.properties()
        let access = try node.access()
        let declaration = attributes.count
        try append(GATT.AttributeType.characteristic, .constant([]), at: node.member("handle"), node)
        let wanted = try node.member("value_handle").map { handle throws(JSONDecodingError) in
            AttributeHandle(rawValue: UInt16(try handle.number("a handle", in: 0...0xFFFF)))
        }
        let valueHandle: AttributeHandle
        if let wanted, wanted <= attributes[declaration].handle || wanted > end {
            valueHandle = wanted
        } else {
            let content = GATT.Database.Content.value(properties, .stored(try node.attributeValue() ?? []))
            try append(uuid, content, access, at: node.member("value_handle"), node, try node.refusal())
            valueHandle = attributes[attributes.count - 1].handle
        }
        attributes[declaration] = GATT.Database.Attribute(
            handle: attributes[declaration].handle, type: GATT.AttributeType.characteristic,
            content: .constant(
                [properties.rawValue, UInt8(valueHandle.rawValue & 0xFF), UInt8(valueHandle.rawValue >> 8)]
                    + uuid.attributeTypeOctets))
        for descriptor in try node.list("descriptors") {
            try add(descriptor: descriptor, of: valueHandle, properties, access)
        }
    }

    private mutating func add(
        descriptor node: JSONNode, of valueHandle: AttributeHandle, _ properties: GATT.Properties,
        _ parent: GATT.Access
    ) throws(JSONDecodingError) {
        let uuid = try node.needed("uuid").uuid("a descriptor")
        var access = try node.access()
        guard uuid == GATT.AttributeType.clientConfiguration else {
            let canWrite = try node.member("writable")?.flag("\"writable\"") ?? false
            try append(
                uuid, .value(canWrite ? [.read, .write] : .read, .stored(try node.attributeValue() ?? [])),
                access,
                at: node.member("handle"), node, try node.refusal())
            return
        }
        access.write = max(access.write, parent.subscribe)
        // It must go on switching, so of the errors only those stay that a better link would lift.
        switch try node.refusal().read {
        case .insufficientAuthentication?: access.read = .authenticated
        case .insufficientEncryption?: access.read = max(access.read, .encrypted)
        default: break
        }
        try append(
            uuid, .clientConfiguration(valueHandle, properties), access, at: node.member("handle"), node)
    }

    private mutating func append(
        _ type: BluetoothUUID, _ content: GATT.Database.Content, _ access: GATT.Access = GATT.Access(),
        at wanted: JSONNode?, _ node: JSONNode, _ refusal: ReplayDevice.Refusal = .init()
    ) throws(JSONDecodingError) {
        let handle = try node.handle(wanted, after: attributes.last?.handle ?? 0)
        var content = content
        if refusal != .init(), case .value(let properties, .stored(let value)) = content {
            content = .value(properties, .delegated)
            values[handle] = value
            refusals[handle] = refusal
        }
        attributes.append(.init(handle: handle, type: type, content: content, access: access))
    }
}

extension GATT.Database.Attribute {
    fileprivate var isService: Bool {
        type == GATT.AttributeType.primaryService || type == GATT.AttributeType.secondaryService
    }
}

extension BluetoothUUID {
    /// The shortest form that ATT knows.
    fileprivate var attributeTypeOctets: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        encodeAttributeType(into: &writer)
        return writer.octets
    }
}

extension JSONNode {
    /// A handle.
    func handle() throws(JSONDecodingError) -> AttributeHandle {
        AttributeHandle(rawValue: UInt16(try number("a handle", in: 1...0xFFFF)))
    }

    /// The handle of what stands here: the one that the file says, else the next one.
    func handle(_ wanted: JSONNode?, after last: AttributeHandle) throws(JSONDecodingError) -> AttributeHandle
    {
        guard
            let handle = try wanted.map({ node throws(JSONDecodingError) in try node.handle() }) ?? last.next
        else {
            throw JSONDecodingError(line, "there is no handle after 65535")
        }
        guard handle > last else {
            throw JSONDecodingError(
                wanted?.line ?? line, "the handle \(handle.text) is not above the one before, \(last.text)")
        }
        return handle
    }

    /// The value of a characteristic or descriptor, in hex or as text; `nil` when there is none.
    package func attributeValue() throws(JSONDecodingError) -> [UInt8]? {
        if let value = try member("octets") {
            return try value.octets("a value", atMost: ATT.maximumValueLength)
        }
        if let value = try member("value") {
            return try value.octets("a value", atMost: ATT.maximumValueLength)
        }
        guard let text = try member("text") else { return nil }
        let octets = Array(try text.text("\"text\"").utf8)
        guard octets.count <= ATT.maximumValueLength else {
            throw JSONDecodingError(text.line, "the text is longer than \(ATT.maximumValueLength) octets")
        }
        return octets
    }

    /// The properties of a characteristic.
    package func properties() throws(JSONDecodingError) -> GATT.Properties {
        var properties: GATT.Properties = []
        for node in try list("properties") {
            let word = try node.text("a property")
            guard let property = GATT.Properties(word: word) else {
                throw JSONDecodingError(node.line, "there is no property \(word)")
            }
            properties.insert(property)
        }
        return properties
    }

    /// The errors that reading and writing give; a file without codes has them in words.
    fileprivate func refusal() throws(JSONDecodingError) -> ReplayDevice.Refusal {
        var refusal = ReplayDevice.Refusal()
        if let code = try member("error_code") {
            refusal.read = ATT.ErrorCode(rawValue: UInt8(try code.number("an error code", in: 1...255)))
        } else if let error = try member("error") {
            let words = try error.text("an error")
            let code = (1...255).lazy.map { ATT.ErrorCode(rawValue: $0) }.first { $0.description == words }
            refusal.read = code ?? .unlikelyError
        }
        if let code = try member("write_error") {
            refusal.write = ATT.ErrorCode(rawValue: UInt8(try code.number("a write error", in: 1...255)))
        }
        return refusal
    }

    fileprivate func access() throws(JSONDecodingError) -> GATT.Access {
        guard let permissions = try member("permissions") else { return GATT.Access() }
        func security(_ key: String) throws(JSONDecodingError) -> SecurityLevel {
            guard let node = try permissions.member(key) else { return .none }
            switch try node.text("a permission") {
            case "none": return .none
            case "encrypted": return .encrypted
            case "authenticated": return .authenticated
            default:
                throw JSONDecodingError(
                    node.line, "a permission is \"none\", \"encrypted\" or \"authenticated\"")
            }
        }
        return GATT.Access(
            read: try security("read"), write: try security("write"), subscribe: try security("subscribe"))
    }
}
