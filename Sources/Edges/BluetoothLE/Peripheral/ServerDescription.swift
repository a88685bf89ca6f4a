// SPDX-License-Identifier: Apache-2.0

/// What a peripheral offers and advertises.
public struct ServerDescription: Sendable {
    /// The attributes that are served.
    public enum Attributes: Sendable {
        /// These services, laid out after GAP and GATT, which every server has.
        case services([GATT.ServiceDefinition], appearance: UInt16)
        /// Exactly these attributes, GAP and GATT among them or not at all.
        case database(GATT.Database)
    }

    /// The device's name.
    public var name: WireText
    /// The attributes that are served.
    public var attributes: Attributes
    /// What to advertise; `nil` makes up flags and the services, as many as fit.
    public var advertisement: DeviceAdvertisement?
    /// Whether links are accepted.
    public var isConnectable: Bool
    /// Whether the name is put on the air, as far as there is room for it and no name stands there.
    public var advertisesName: Bool
    /// Whether it is advertised from the start; if not, from ``Server/advertise(_:)`` on.
    public var isAdvertised = true

    /// Describes a server of some services.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - appearance: The device's appearance, for GAP.
    ///   - services: The services beside GAP and GATT.
    ///   - advertisement: What to advertise; `nil` makes up flags and the services.
    ///   - isConnectable: Whether links are accepted.
    ///   - advertisesName: Whether the name is put on the air.
    public init(
        name: WireText, appearance: UInt16 = 0, services: [GATT.ServiceDefinition],
        advertisement: DeviceAdvertisement? = nil, isConnectable: Bool = true, advertisesName: Bool = true
    ) {
        self.name = name
        attributes = .services(services, appearance: appearance)
        self.advertisement = advertisement
        self.isConnectable = isConnectable
        self.advertisesName = advertisesName
    }

    /// Describes a server of exactly these attributes, as of a device that was saved.
    ///
    /// - Parameters:
    ///   - name: The device's name; that within the database is not touched.
    ///   - database: The attributes.
    ///   - advertisement: What to advertise.
    ///   - isConnectable: Whether links are accepted.
    ///   - advertisesName: Whether the name is put on the air.
    public init(
        name: WireText, database: GATT.Database, advertisement: DeviceAdvertisement? = nil,
        isConnectable: Bool = true, advertisesName: Bool = true
    ) {
        self.name = name
        attributes = .database(database)
        self.advertisement = advertisement
        self.isConnectable = isConnectable
        self.advertisesName = advertisesName
    }

    /// What goes on the air when it is to be `advertisement`.
    ///
    /// - Parameter advertisement: What to advertise; `nil` makes it up.
    /// - Returns: That, with the name if it is wanted there.
    package func completed(_ advertisement: DeviceAdvertisement?) -> DeviceAdvertisement {
        var complete = advertisement ?? madeUp
        guard advertisesName, !name.isEmpty else { return complete }
        let names = [complete.data, complete.scanResponse].map { AdvertisingData($0).name }
        guard names.allSatisfy({ $0 == nil }) else { return complete }
        // In the scan response, as far as it fits; after the advertisement where no scan response can be.
        var rest = AdvertisingDataBuilder()
        do throws(AdvertisingDataBuilder.Overflow) {
            if complete.scanResponse.isEmpty, isConnectable {
                try rest.appendName(name)
                complete.scanResponse = rest.octets
            } else {
                let isFree = isConnectable || !complete.scanResponse.isEmpty
                let before = isFree ? complete.scanResponse : complete.data
                guard before.count + name.octets.count + 2 <= AdvertisingDataBuilder.legacyLimit else {
                    return complete
                }
                try rest.appendName(name)
                if isFree { complete.scanResponse += rest.octets } else { complete.data += rest.octets }
            }
        } catch {
            // A name of which no character fits is no text and left out.
        }
        return complete
    }

    private var madeUp: DeviceAdvertisement {
        var data = AdvertisingDataBuilder()
        do throws(AdvertisingDataBuilder.Overflow) {
            try data.appendFlags()
            guard case .services(let services, _) = attributes else {
                return DeviceAdvertisement(data: data.octets, scanResponse: [])
            }
            var uuids = services.filter(\.isPrimary).map(\.uuid)
            // The first services matter most.
            while !uuids.isEmpty {
                var whole = data
                do throws(AdvertisingDataBuilder.Overflow) {
                    try whole.appendServices(uuids)
                    data = whole
                    break
                } catch {
                    uuids.removeLast()
                }
            }
        } catch {
            // Flags always fit.
        }
        return DeviceAdvertisement(data: data.octets, scanResponse: [])
    }
}
