// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// The device's end of the Improv protocol.
///
/// ```
///                        press                credentials                joined
///  authorization required ────► authorized ──────────────► provisioning ──────► provisioned
///              ▲                │  ▲  ▲                        │                    │
///              └──── a minute ──┘  │  └───────── failed ───────┘                    │
///                                  └──────────────────── press ─────────────────────┘
/// ```
///
/// A device that needs no button begins authorized and stays so. After success it takes no credentials until somebody
/// presses its button.
///
/// Spec: Improv via BLE 2.2.
public struct ImprovDevice<Station: ImprovStation & ~Copyable & Sendable>: DeviceSession, ~Copyable, Sendable
{
    /// What the device reports to whoever runs it.
    public typealias Event = ImprovDeviceEvent

    enum Phase {
        /// Somebody has to press the button.
        case locked
        /// Credentials are welcome, until then where a button was pressed.
        case open(until: HostInstant?)
        /// The link that has sent the credentials waits for the result.
        case joining(LinkID, ImprovSettings, until: HostInstant)
        case done
    }

    struct Link {
        let id: LinkID
        var mtu = ATT.defaultMTU
        var pieces = ImprovPacketStream()
        var error = ImprovErrorCode.none
        var result: [UInt8] = []
        var awaitsNetworks = false
    }

    /// How many outputs may wait before answers and events are left out.
    static var maximumWaiting: Int { 2048 }

    struct Handles {
        var state: AttributeHandle
        var error: AttributeHandle
        var command: AttributeHandle
        var result: AttributeHandle
        var capabilities: AttributeHandle
    }

    /// What the device says of itself when it is asked.
    public let info: ImprovDeviceInfo
    /// Whether somebody has to press a button before the device takes credentials.
    public let needsAuthorization: Bool
    var station: Station
    var phase: Phase
    var links: [Link] = []
    var handles: Handles?
    var isScanning = false
    var outputs = FIFO<DeviceOutput<Event>>()

    /// Makes a device that waits to be started.
    ///
    /// - Parameters:
    ///   - station: Its Wi-Fi side.
    ///   - info: What it says of itself; its name is what it is called on the air, too.
    ///   - needsAuthorization: Whether somebody has to press a button first.
    public init(station: consuming Station, info: ImprovDeviceInfo, needsAuthorization: Bool = false) {
        self.station = station
        self.info = info
        self.needsAuthorization = needsAuthorization
        phase = needsAuthorization ? .locked : .open(until: nil)
    }

    // MARK: What it is

    /// The service with its five characteristics.
    public var services: [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                ImprovUUID.service,
                characteristics: [
                    GATT.CharacteristicDefinition(ImprovUUID.state, [.read, .notify], value: .delegated),
                    GATT.CharacteristicDefinition(ImprovUUID.error, [.read, .notify], value: .delegated),
                    GATT.CharacteristicDefinition(
                        ImprovUUID.command, [.write, .writeWithoutResponse], value: .delegated),
                    GATT.CharacteristicDefinition(ImprovUUID.result, [.read, .notify], value: .delegated),
                    GATT.CharacteristicDefinition(ImprovUUID.capabilities, .read, value: .delegated),
                ])
        ]
    }

    /// The device's name.
    public var name: WireText { info.name }

    /// Unknown.
    public var appearance: UInt16 { 0 }

    /// The service with the state and capabilities, and the name in the scan response.
    public var advertisement: DeviceAdvertisement {
        let (data, response) = ImprovAdvertisement(state, capabilities).encoded(name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    /// What the device can do beside taking credentials; it can always say what it is.
    public var capabilities: ImprovCapabilities { station.capabilities.union(.deviceInfo) }

    /// The state of the device.
    public var state: ImprovState {
        switch phase {
        case .locked: .authorizationRequired
        case .open: .authorized
        case .joining: .provisioning
        case .done: .provisioned
        }
    }

    // MARK: Inputs

    /// Starts the device.
    ///
    /// - Parameters:
    ///   - handles: Where the host has put the values of ``services``.
    ///   - now: The moment.
    public mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        if let state = handles[ImprovUUID.state],
            let error = handles[ImprovUUID.error],
            let command = handles[ImprovUUID.command],
            let result = handles[ImprovUUID.result],
            let capabilities = handles[ImprovUUID.capabilities]
        {
            self.handles = Handles(
                state: state, error: error, command: command, result: result, capabilities: capabilities)
        }
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
            links.remove(at: index)
            report(.disconnected(id))
        case .mtuChanged(let id, let mtu):
            if let index = index(of: id) { links[index].mtu = mtu }
        // What is sent reaches those who have subscribed.
        case .subscribed: break
        }
    }

    /// Somebody presses the button: credentials are welcome, for a minute where the device needs that.
    ///
    /// - Parameter now: The moment.
    public mutating func press(at now: HostInstant) {
        if case .joining = phase { return }
        change(to: opened(at: now))
    }

    /// Answers a read.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: The state, the last error and result of this link, or the capabilities.
    /// - Throws: Read Not Permitted for the command.
    public mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        guard let handles, let index = index(of: link) else { throw .unlikelyError }
        switch handle {
        case handles.state: return [state.rawValue]
        case handles.error: return [links[index].error.rawValue]
        case handles.result: return links[index].result
        case handles.capabilities: return [capabilities.rawValue]
        default: throw .readNotPermitted
        }
    }

    /// Adds a piece of a command.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - value: The piece.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Throws: Write Not Permitted for anything but the command.
    public mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard handle == handles?.command, let index = index(of: link) else { throw .writeNotPermitted }
        links[index].pieces.receive(value, at: now)
        while var octets = links[index].pieces.next() {
            receive(command: octets, index, at: now)
            ImprovSettings.wipe(&octets)
        }
        drainStation(at: now)
    }

    /// Does what is due at ``nextDeadline``.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {
        for index in links.indices {
            do throws(ImprovPacketError) {
                try links[index].pieces.deadlineReached(at: now)
            } catch {
                refuse(error, index)
            }
        }
        station.deadlineReached(at: now)
        drainStation(at: now)
        switch phase {
        case .open(let until?) where until <= now: change(to: .locked)
        case .joining(_, _, let until) where until <= now:
            station.leave(at: now)
            joinFailed(at: now)
        case .locked, .open, .joining, .done: break
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
        switch phase {
        case .open(let until): deadline = .earliest(deadline, until)
        case .joining(_, _, let until): deadline = .earliest(deadline, until)
        case .locked, .done: break
        }
        for index in links.indices { deadline = .earliest(deadline, links[index].pieces.nextDeadline) }
        return deadline
    }

    func index(of link: LinkID) -> Int? { links.firstIndex { $0.id == link } }

    func opened(at now: HostInstant) -> Phase {
        .open(until: needsAuthorization ? now.advanced(bySeconds: ImprovLimit.authorizationSeconds) : nil)
    }
}

/// What an Improv device reports to whoever runs it; never a password.
public enum ImprovDeviceEvent: Hashable, Sendable {
    /// A client has opened a link.
    case connected(LinkID, Peer)
    /// A link is gone.
    case disconnected(LinkID)
    /// The device is now this far.
    case changed(ImprovState)
    /// A client wants to see which device it is.
    case identify(LinkID)
    /// A client has asked what the device is.
    case infoRequested(LinkID)
    /// A client has asked for the networks.
    case scanRequested(LinkID)
    /// Networks were sent; how many.
    case networksSent(LinkID, count: Int)
    /// The device could not look for networks.
    case scanFailed
    /// Credentials came for this network; what was wrong with that, if anything.
    case settings(LinkID, ssid: WireText, ImprovErrorCode)
    /// Joining a network has failed.
    case joinFailed(ssid: WireText)
    /// Something came that is no command for this device.
    case fault(LinkID, ImprovPacketError)
}
