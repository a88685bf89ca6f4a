// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEGATT
public import BLEWire

/// The device's end of the WiFiSet protocol.
///
/// ```
///                 credentials                 joined
///  idle, joined ─────────────► joining (new) ─────────► joined; stored
///       ▲                          │ failed, 30 s
///       │        none stored       ▼          joined
///       └──────────────────── failed ─► joining (stored) ─► joined
/// ```
///
/// New credentials are kept beside the stored ones until the device has joined with them. After a failure
/// it returns to the stored ones, and says `failed` until it is in a network again or gets new ones.
///
/// Spec: Documentation/Protocols/wifiset.md.
public struct WiFiSetDevice<Station: WiFiStation & ~Copyable & Sendable>: DeviceSession, ~Copyable, Sendable {
    /// What the device reports to whoever runs it.
    public typealias Event = WiFiSetDeviceEvent

    enum Join {
        case idle
        case joining(WiFiCredentials, isCandidate: Bool, until: HostInstant)
        case joined(WiFiCredentials, rssi: Int8, address: UInt32)
        /// The stored credentials have failed, too; they are tried again.
        case waiting(until: HostInstant)
    }

    struct Link {
        let id: LinkID
        var mtu = ATT.defaultMTU
        var pieces = WiFiMessageStream()
        var heard = WiFiSequence()
        var counter: UInt8 = 0
        var wantsList = false
        var awaitsList = false
        var wantsStatus = false
        var lastList: [UInt8] = []
        var lastAnswer: WiFiMessage.Body?
    }

    /// How many outputs may wait before lists and events are left out.
    static var maximumWaiting: Int { 2048 }
    /// How long until the stored credentials are tried again, in seconds.
    static var rejoinTime: UInt64 { 30 }

    /// The name that the device has.
    public let name: WireText
    var station: Station
    var links: [Link] = []
    var handles: (list: AttributeHandle, credentials: AttributeHandle, status: AttributeHandle)?
    var join = Join.idle
    var hasFailed = false
    var isScanning = false
    var outputs = FIFO<DeviceOutput<Event>>()

    /// Makes a device that waits to be started.
    public init(station: consuming Station, name: WireText = WiFiSetName.device) {
        self.station = station
        self.name = name
    }

    // MARK: What it is

    /// The service with its three characteristics.
    public var services: [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                WiFiSetUUID.service,
                characteristics: [
                    GATT.CharacteristicDefinition(WiFiSetUUID.wifiList, [.read, .notify], value: .delegated),
                    GATT.CharacteristicDefinition(WiFiSetUUID.credentialWrite, .write, value: .delegated),
                    GATT.CharacteristicDefinition(WiFiSetUUID.status, [.read, .notify], value: .delegated),
                ])
        ]
    }

    /// Unknown.
    public var appearance: UInt16 { 0 }

    /// The service, and the name in the scan response.
    public var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(WiFiSetUUID.service, name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    /// The network whose credentials are stored; `nil` when there are none.
    public var storedSSID: WireText? { station.stored?.ssid }

    /// The state as a client would read it.
    public var status: WiFiStatus {
        switch join {
        case .joined(let credentials, let rssi, let address):
            WiFiStatus(.connected, rssi: rssi, address: address, ssid: credentials.ssid)
        case .joining(let credentials, let isCandidate, _) where isCandidate || !hasFailed:
            WiFiStatus(.connecting, ssid: credentials.ssid)
        case .idle, .joining, .waiting:
            if hasFailed {
                WiFiStatus(.failed, ssid: station.stored?.ssid ?? "")
            } else if let stored = station.stored {
                WiFiStatus(.configured, ssid: stored.ssid)
            } else {
                WiFiStatus(.notConfigured)
            }
        }
    }

    // MARK: Inputs

    /// Starts the device: joins the stored network, if there is one.
    ///
    /// - Parameters:
    ///   - handles: Where the host has put the values of ``services``.
    ///   - now: The moment.
    public mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        if let list = handles[WiFiSetUUID.wifiList],
            let credentials = handles[WiFiSetUUID.credentialWrite],
            let status = handles[WiFiSetUUID.status]
        {
            self.handles = (list, credentials, status)
        }
        joinStored(at: now)
        drainStation(at: now)
    }

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    public mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .connected(let id, let peer):
            links.append(Link(id: id))
            report(.connected(id, peer))
        case .disconnected(let id):
            guard let index = index(of: id) else { break }
            links[index].pieces.reset()
            links[index].heard.reset()
            links.remove(at: index)
            report(.disconnected(id))
        case .mtuChanged(let id, let mtu):
            if let index = index(of: id) { links[index].mtu = mtu }
        case .subscribed(let id, let handle, let subscription):
            guard let index = index(of: id) else { break }
            if handle == handles?.status {
                links[index].wantsStatus = !subscription.isEmpty
            } else if handle == handles?.list {
                let wanted = links[index].wantsList
                links[index].wantsList = !subscription.isEmpty
                if subscription.isEmpty {
                    links[index].awaitsList = false
                } else if !wanted {
                    startList(index, at: now)
                }
            }
        }
        drainStation(at: now)
    }

    /// Answers a read: the state, or the last message of the list.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: A whole message; nothing when no list was sent yet.
    /// - Throws: Read Not Permitted for the credentials.
    public mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        guard let index = index(of: link) else { throw .unlikelyError }
        // Reads are outside sequence tracking: the counter is shown and stays.
        if handle == handles?.status {
            return WiFiMessage(sequence: links[index].counter, .statusResponse(status)).encoded()
        }
        if handle == handles?.list { return links[index].lastList }
        throw .readNotPermitted
    }

    /// Adds a piece of a message.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - value: The piece.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Throws: Write Not Permitted for anything but the credentials.
    public mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard handle == handles?.credentials, let index = index(of: link) else { throw .writeNotPermitted }
        links[index].pieces.receive(value, at: now)
        do throws(WiFiMessageError) {
            while let message = try links[index].pieces.next() { try received(message, index, at: now) }
        } catch {
            links[index].pieces.reset()
            refuse(error, index)
        }
        drainStation(at: now)
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        for index in links.indices {
            do throws(WiFiMessageError) {
                try links[index].pieces.deadlineReached(at: now)
            } catch {
                refuse(error, index)
            }
        }
        station.deadlineReached(at: now)
        drainStation(at: now)
        switch join {
        case .joining(_, _, let until) where until <= now:
            station.leave(at: now)
            joinFailed(.noAnswer, at: now)
        case .waiting(let until) where until <= now: joinStored(at: now)
        default: break
        }
        drainStation(at: now)
    }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> DeviceOutput<Event>? { outputs.popFirst() }

    /// When to call ``deadlineReached(at:)`` at the latest.
    public var nextDeadline: HostInstant? {
        var deadline = station.nextDeadline
        switch join {
        case .joining(_, _, let until), .waiting(let until): deadline = .earliest(deadline, until)
        case .idle, .joined: break
        }
        for index in links.indices { deadline = .earliest(deadline, links[index].pieces.nextDeadline) }
        return deadline
    }

    func index(of link: LinkID) -> Int? { links.firstIndex { $0.id == link } }
}

/// What a WiFiSet device reports to whoever runs it; never a password.
public enum WiFiSetDeviceEvent: Hashable, Sendable {
    /// A client has opened a link.
    case connected(LinkID, Peer)
    /// A link is gone.
    case disconnected(LinkID)
    /// A client has asked for the list of networks.
    case listRequested(LinkID)
    /// A list was sent; how many networks.
    case listSent(LinkID, count: Int)
    /// The device could not look for networks.
    case scanFailed
    /// Credentials came for this network; how they were answered.
    case credentials(LinkID, ssid: WireText, WiFiAcknowledgment)
    /// A client has asked for the state.
    case statusRequested(LinkID)
    /// The state is now this.
    case status(WiFiStatus)
    /// Joining a network has failed.
    case joinFailed(ssid: WireText, WiFiJoinError)
    /// Something came that is not a message for this device.
    case fault(LinkID, WiFiMessageError)
    /// A message came twice, or some are missing.
    case sequence(LinkID, WiFiSequence.Verdict)
}
