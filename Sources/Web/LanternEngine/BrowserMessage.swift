// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEGATT
import BLEWire
import Companion

/// What a page tells of its browser's Bluetooth: one JSON object, whose key `radio` says what it is.
///
/// ```
/// {"radio":"state","state":"ready"}
/// {"radio":"permitted","devices":["4d1f…"]}
/// {"radio":"chosen","device":"4d1f…","name":"FlockFinder","services":["4fafc201-…"]}
/// {"radio":"heard","device":"4d1f…","rssi":-61,"services":[…],"manufacturer":[{"company":76,"data":"10"}]}
/// {"radio":"present","device":"4d1f…"}
/// {"radio":"withdrawn","device":"4d1f…"}
/// {"radio":"connected","link":3}            {"radio":"lost","link":3}
/// {"radio":"failed","link":3,"why":"gone"}  {"radio":"found","link":3,"services":[…]}
/// {"radio":"done","link":3,"id":7,"value":"0102"}  {"radio":"done","link":3,"id":7,"why":"busy"}
/// {"radio":"value","link":3,"handle":12,"value":"0102"}
/// ```
enum BrowserMessage {
    /// Whether the radio can be used.
    case state(RadioState)
    /// This browser lets no page use Bluetooth.
    case unsupported
    /// Devices that this page may use without asking again; there are no others.
    case permitted([Peer])
    /// A person has chosen a device.
    case chosen(BrowserAdvertisement)
    /// A device was heard.
    case heard(BrowserAdvertisement)
    /// A device may be there: this browser cannot listen for it.
    case present(Peer)
    /// A person has taken the permission for a device back.
    case withdrawn(Peer)
    /// A link is open.
    case connected(link: Int)
    /// A link could not be opened.
    case failed(link: Int, BrowserError)
    /// A link is gone.
    case lost(link: Int)
    /// The services of a device.
    case found(link: Int, [GATT.Service])
    /// An operation has ended.
    case done(link: Int, id: Int, Result<[UInt8], BrowserError>)
    /// A device has sent a value by itself.
    case value(link: Int, AttributeHandle, [UInt8])

    /// Octets of a value at most, by GATT.
    static let longestValue = 512

    /// Reads a message.
    ///
    /// - Throws: ``JSONDecodingError``.
    init(_ octets: [UInt8]) throws(JSONDecodingError) {
        let node = try JSONReader.read(octets)
        let kind = try node.needed("radio")
        switch try kind.text("\"radio\"") {
        case "state":
            switch try node.needed("state").text("The state") {
            case "ready": self = .state(.ready)
            case "unauthorized": self = .state(.unauthorized)
            case "unsupported": self = .unsupported
            default: self = .state(.off)
            }
        case "permitted":
            var peers: [Peer] = []
            for one in try node.list("devices") { peers.append(try one.peer()) }
            self = .permitted(peers)
        case "chosen": self = .chosen(try BrowserAdvertisement(node))
        case "heard": self = .heard(try BrowserAdvertisement(node))
        case "present": self = .present(try node.needed("device").peer())
        case "withdrawn": self = .withdrawn(try node.needed("device").peer())
        case "connected": self = .connected(link: try node.link())
        case "failed": self = .failed(link: try node.link(), try node.why() ?? .other)
        case "lost": self = .lost(link: try node.link())
        case "found": self = .found(link: try node.link(), try GATT.Service.list(try node.list("services")))
        case "done":
            let id = try node.needed("id").number("The id", in: 0...Int(Int32.max))
            let result: Result<[UInt8], BrowserError>
            if let fault = try node.why() {
                result = .failure(fault)
            } else {
                let value = try node.member("value")
                result = .success(try value?.octets("The value", atMost: Self.longestValue) ?? [])
            }
            self = .done(link: try node.link(), id: Int(id), result)
        case "value":
            self = .value(
                link: try node.link(), try node.needed("handle").handle(),
                try node.needed("value").octets("The value", atMost: Self.longestValue))
        default: throw kind.fault("nobody knows this")
        }
    }
}

/// Why a browser has not done something.
enum BrowserError: Error {
    /// Another operation is under way; it can be asked for again.
    case busy
    /// The link is gone, or the device is out of reach.
    case gone
    /// The device wants to be paired with.
    case unauthorized
    /// The browser keeps this from pages, or the attribute cannot do it.
    case unsupported
    /// The device does not take a value of this length.
    case length
    /// The services of the device are not what they were.
    case changed
    /// A person has taken the permission back.
    case withdrawn
    /// Anything else.
    case other

    /// Reads the word for it.
    init(_ word: String) {
        switch word {
        case "busy": self = .busy
        case "gone": self = .gone
        case "unauthorized": self = .unauthorized
        case "unsupported": self = .unsupported
        case "length": self = .length
        case "changed": self = .changed
        case "withdrawn": self = .withdrawn
        default: self = .other
        }
    }

    /// What a session is told of it.
    var failure: GATTRequestError {
        switch self {
        case .busy: .queueFull
        case .gone, .withdrawn: .disconnected
        case .unauthorized: .refused(.insufficientAuthentication)
        case .unsupported: .unsupported
        case .length: .refused(.invalidAttributeValueLength)
        case .changed: .refused(.invalidHandle)
        case .other: .refused(.unlikelyError)
        }
    }
}

/// What a browser says of a device: what it advertises, or what was found out when a person chose it.
struct BrowserAdvertisement {
    let peer: Peer
    let name: String?
    let services: [BluetoothUUID]
    let manufacturerData: [ManufacturerData]
    let rssi: Int8?

    init(_ node: JSONNode) throws(JSONDecodingError) {
        peer = try node.needed("device").peer()
        name = try node.member("name")?.text("The name")
        var services: [BluetoothUUID] = []
        if try node.member("services") != nil {
            for one in try node.list("services") { services.append(try one.uuid("A service")) }
        }
        self.services = services
        var manufacturerData: [ManufacturerData] = []
        if try node.member("manufacturer") != nil {
            for one in try node.list("manufacturer") {
                let company = try one.needed("company").number("The company", in: 0...0xFFFF)
                let data = try one.needed("data").octets("The data", atMost: 251)
                manufacturerData.append(ManufacturerData(company: UInt16(company), data: data))
            }
        }
        self.manufacturerData = manufacturerData
        rssi = try node.member("rssi").map { (node) throws(JSONDecodingError) in
            Int8(try node.number("The strength", in: -127...20))
        }
    }

    /// The same as a radio would have reported it; what does not fit is left out.
    var report: AdvertisementReport {
        var data = AdvertisingDataBuilder(limit: AdvertisingDataBuilder.chainedLimit)
        try? data.appendServices(services)
        for one in manufacturerData { try? data.append(one) }
        if let name, !name.isEmpty {
            try? data.append(.completeLocalName, Array(name.utf8.prefix(248)))
        }
        return AdvertisementReport(
            peer: peer, octets: data.octets, isScanResponse: false, isConnectable: true, rssi: rssi,
            txPower: nil)
    }
}

extension GATT.Service {
    /// Attributes that a device may have.
    private static let limit = 4096

    /// Reads what a browser has found: the handles are numbers of the page's own, in ascending order.
    fileprivate static func list(_ nodes: [JSONNode]) throws(JSONDecodingError) -> [GATT.Service] {
        var last = 0
        func next(_ node: JSONNode, after gap: Int = 0) throws(JSONDecodingError) -> AttributeHandle {
            guard last + gap < limit else { throw node.fault("there are too many attributes") }
            let number = try node.needed("handle").number("The handle", in: (last + gap + 1)...limit)
            last = number
            return AttributeHandle(rawValue: UInt16(number))
        }
        var services: [GATT.Service] = []
        for node in nodes {
            let handle = try next(node)
            var service = GATT.Service(
                uuid: try node.needed("uuid").uuid("A service"), handle: handle, endHandle: handle)
            for node in try node.list("characteristics") {
                // The declaration stands before the value.
                let value = try next(node, after: 1)
                let properties = try node.needed("properties").number("The properties", in: 0...0xFF)
                var characteristic = GATT.Characteristic(
                    uuid: try node.needed("uuid").uuid("A characteristic"),
                    handle: AttributeHandle(rawValue: value.rawValue - 1), valueHandle: value,
                    endHandle: value,
                    properties: GATT.Properties(rawValue: UInt8(properties)))
                for node in try node.list("descriptors") {
                    let handle = try next(node)
                    let uuid = try node.needed("uuid").uuid("A descriptor")
                    characteristic.descriptors.append(GATT.Descriptor(uuid: uuid, handle: handle))
                    characteristic.endHandle = handle
                }
                service.endHandle = characteristic.endHandle
                service.characteristics.append(characteristic)
            }
            services.append(service)
        }
        return services
    }
}

extension JSONNode {
    fileprivate func peer() throws(JSONDecodingError) -> Peer {
        let text = try text("The device")
        guard text.utf8.count == 36, let identifier = BluetoothUUID(text) else {
            throw fault("a device is named by an identifier of 36 characters")
        }
        return Peer(identifier: identifier)
    }

    fileprivate func link() throws(JSONDecodingError) -> Int {
        try needed("link").number("The link", in: 0...Int(Int32.max))
    }

    fileprivate func handle() throws(JSONDecodingError) -> AttributeHandle {
        AttributeHandle(rawValue: UInt16(try number("The handle", in: 1...0xFFFF)))
    }

    fileprivate func why() throws(JSONDecodingError) -> BrowserError? {
        try member("why").map { (node) throws(JSONDecodingError) in BrowserError(try node.text("Why")) }
    }
}
