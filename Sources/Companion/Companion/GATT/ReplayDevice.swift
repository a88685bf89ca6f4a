// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
package import BLEGATT
package import BLEWire

/// A device that was saved with `gatt tree --output`, or written by hand, ready to be served.
package struct ReplayDevice: Sendable {
    /// What a client gets instead of success.
    package struct Refusal: Hashable, Sendable {
        package var read: ATT.ErrorCode?
        package var write: ATT.ErrorCode?

        /// Makes a refusal; without arguments it refuses nothing.
        package init(read: ATT.ErrorCode? = nil, write: ATT.ErrorCode? = nil) {
            self.read = read
            self.write = write
        }
    }

    /// Its name, if it has one.
    package var name: String?
    /// What it advertises.
    package var advertisement: DeviceAdvertisement
    /// All its attributes.
    package let database: GATT.Database
    /// The values that refuse something; all others are kept by the stack.
    package let refusals: [AttributeHandle: Refusal]
    /// What values that may be written in spite of a refusal are at first.
    package let values: [AttributeHandle: [UInt8]]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - json: One object as `gatt tree --output` or `--json` writes it.
    ///   - name: A name to use instead of its own.
    /// - Throws: ``JSONDecodingError``.
    package init(json: [UInt8], name: String? = nil) throws(JSONDecodingError) {
        let node = try JSONReader.read(json)
        var layout = ReplayLayout()
        for service in try Self.inOrder(try node.list("services")) { try layout.add(service) }
        try layout.resolveIncludes()
        let ownName = try node.member("name")?.text("the name") ?? layout.gapName
        if let name { layout.setGAPName(Array(name.utf8)) }
        self.name = name ?? ownName
        advertisement = try Self.advertisement(of: node, name: self.name, isRenamed: name != nil)
        database = GATT.Database(attributes: layout.attributes)
        refusals = layout.refusals
        values = layout.values
    }

    /// What is there at a handle, for whoever watches.
    package func uuid(of handle: AttributeHandle) -> BluetoothUUID? { database.attribute(handle)?.type }

    /// Services stand in a file as they were found; they are served in the order of their handles.
    static func inOrder(_ services: [JSONNode]) throws(JSONDecodingError) -> [JSONNode] {
        var handles: [Int] = []
        for service in services {
            guard let handle = try service.member("handle") else { return services }
            handles.append(try handle.number("a handle", in: 1...0xFFFF))
        }
        return zip(handles, services).ordered { $0.0 < $1.0 }.map { $0.1 }
    }

    private static func advertisement(
        of node: JSONNode, name: String?, isRenamed: Bool
    ) throws(JSONDecodingError) -> DeviceAdvertisement {
        let data = try node.member("advertisement")?.octets("the advertisement", atMost: 1650)
        let response = try node.member("scan_response")?.octets("the scan response", atMost: 1650)
        guard data != nil || response != nil else {
            return try made(node, name)
        }
        guard isRenamed, let name else {
            return DeviceAdvertisement(data: fitted(data ?? []), scanResponse: fitted(response ?? []))
        }
        return DeviceAdvertisement(
            data: fitted(data ?? [], without: [.completeLocalName, .shortenedLocalName]),
            scanResponse: fitted(
                named(name) + (response ?? []), without: [.completeLocalName, .shortenedLocalName], after: 1))
    }

    /// For a file that says nothing of advertising: flags, the services that it wants advertised, the name.
    private static func made(_ node: JSONNode, _ name: String?) throws(JSONDecodingError)
        -> DeviceAdvertisement
    {
        var services: [BluetoothUUID] = []
        for service in try node.list("advertised_services") {
            services.append(try service.uuid("an advertised service"))
        }
        var builder = AdvertisingDataBuilder()
        do throws(AdvertisingDataBuilder.Overflow) {
            try builder.appendFlags()
            try builder.appendServices(services)
        } catch {
            throw JSONDecodingError(
                node.line, "the advertised services take \(error.needed) octets, and there are \(error.limit)"
            )
        }
        return DeviceAdvertisement(data: builder.octets, scanResponse: name.map(named) ?? [])
    }

    private static func named(_ name: String) -> [UInt8] {
        var builder = AdvertisingDataBuilder()
        // A name that is empty is no name.
        try? builder.appendName(WireText(Array(name.utf8)))
        return builder.octets
    }

    /// As many structures as legacy advertising holds; octets that fit are left as they are.
    private static func fitted(
        _ octets: [UInt8], without unwanted: [AdvertisingDataType] = [], after kept: Int = 0
    ) -> [UInt8] {
        if unwanted.isEmpty, octets.count <= AdvertisingDataBuilder.legacyLimit { return octets }
        var builder = AdvertisingDataBuilder()
        let data = AdvertisingData(octets)
        for (index, structure) in data.enumerated()
        where index < kept || !unwanted.contains(structure.type) {
            // What does not fit is left out; a smaller one behind it may fit.
            try? builder.append(structure.type, Array(data.data(of: structure)))
        }
        return builder.octets
    }
}
