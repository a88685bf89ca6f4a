// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
public import BLEGATT
public import BLEWire

/// The bulb's end of any dialect: obeys commands, keeps its state, and reports it where the dialect can.
///
/// As real bulbs do, it takes every write and does nothing about those that it does not understand.
public struct LEDBulbDevice: DeviceSession, ~Copyable, Sendable {
    /// What the bulb reports to whoever runs it.
    public enum Event: Hashable, Sendable {
        /// A client has opened a link.
        case connected(LinkID, Peer)
        /// A link is gone.
        case disconnected(LinkID)
        /// A client has subscribed to the state, or unsubscribed.
        case subscribed(LinkID, AttributeHandle, GATT.Subscription)
        /// A client has written octets; what they mean, if anything.
        case written(LinkID, AttributeHandle, [UInt8], BulbCommand?)
        /// A command has been carried out; the bulb is now in this state.
        case shines(BulbState)
        /// The state was sent to a client.
        case stateSent(LinkID, BulbState)
    }

    /// How many outputs may wait before events and answers are left out.
    static let maximumWaiting = 1024

    /// Its dialect.
    public let dialect: BulbDialect
    /// Its name.
    public let name: WireText
    /// What it shows.
    public private(set) var state: BulbState
    private var control: AttributeHandle?
    private var reports: AttributeHandle?
    private var subscribers: [LinkID] = []
    private var outputs = FIFO<DeviceOutput<Event>>()

    /// Makes a bulb that waits to be started.
    ///
    /// - Parameters:
    ///   - dialect: Its dialect.
    ///   - name: Its name; `nil` gives it one that is usual for its dialect.
    ///   - state: What it shows at first.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public init(_ dialect: BulbDialect, name: WireText? = nil, state: BulbState = BulbState()) {
        self.dialect = dialect
        self.name = name ?? dialect.deviceName
        self.state = state
    }

    // MARK: What it is

    /// The services of the dialect; Colorific's characteristic has the handle that its source gives.
    public var services: [GATT.ServiceDefinition] {
        let handle = dialect.controlHandle?.rawValue
        var control = GATT.ServiceDefinition(
            dialect.control.service, handle: handle.map { AttributeHandle(rawValue: $0 - 2) },
            characteristics: [
                GATT.CharacteristicDefinition(
                    dialect.control.characteristic, dialect.controlProperties, value: .delegated)
            ])
        guard let reports = dialect.reports else { return [control] }
        let report = GATT.CharacteristicDefinition(reports.characteristic, .notify, value: .stored([]))
        guard reports.service != dialect.control.service else {
            control.characteristics.append(report)
            return [control]
        }
        return [GATT.ServiceDefinition(reports.service, characteristics: [report]), control]
    }

    /// LED lamp.
    ///
    /// Spec: Assigned Numbers, 2.6.3.
    public var appearance: UInt16 { 0x07C2 }

    /// The service, and the name in the scan response.
    public var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(dialect.advertisedService, name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    // MARK: Inputs

    /// Starts the bulb.
    ///
    /// - Parameters:
    ///   - handles: Where the host has put the values of ``services``.
    ///   - now: The moment.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        control = handles[dialect.control.characteristic]
        reports = dialect.reports.flatMap { place in handles[place.characteristic] }
    }

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .connected(let id, let peer): report(.connected(id, peer))
        case .disconnected(let id):
            subscribers.removeAll { $0 == id }
            report(.disconnected(id))
        case .mtuChanged: break
        case .subscribed(let id, let handle, let subscription):
            guard handle == reports else { return }
            subscribers.removeAll { $0 == id }
            if !subscription.isEmpty { subscribers.append(id) }
            report(.subscribed(id, handle, subscription))
        }
    }

    /// Refuses: nothing can be read.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - link: Who reads.
    ///   - now: The moment.
    /// - Returns: Never.
    /// - Throws: Always.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] {
        throw .readNotPermitted
    }

    /// Handles a written command; what is not understood changes nothing.
    ///
    /// - Parameters:
    ///   - handle: The value's handle.
    ///   - value: The octets.
    ///   - link: Who writes.
    ///   - now: The moment.
    /// - Throws: When the value is not the one that takes commands.
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard handle == control else { throw .writeNotPermitted }
        let command = dialect.decode(value)
        report(.written(link, handle, value, command))
        guard let command else { return }
        guard command == .requestState else {
            state.apply(command)
            report(.shines(state))
            return
        }
        guard let reports, let octets = dialect.encode(state), subscribers.contains(link),
            outputs.count < Self.maximumWaiting
        else { return }
        outputs.append(.send(link, reports, octets, .notify))
        report(.stateSent(link, state))
    }

    /// Carries out a command that comes from no client, such as that of a switch on the wall.
    ///
    /// - Parameter command: The command; asking for the state does nothing.
    public mutating func perform(_ command: BulbCommand) {
        guard command != .requestState else { return }
        state.apply(command)
        report(.shines(state))
    }

    /// Does nothing: a bulb has no clock.
    ///
    /// - Parameter now: The moment.
    public mutating func deadlineReached(at now: HostInstant) {}

    // MARK: Outputs

    /// Never.
    public var nextDeadline: HostInstant? { nil }

    /// The next output.
    ///
    /// - Returns: The output; `nil` when there is nothing to do until the next input.
    public mutating func nextOutput() -> DeviceOutput<Event>? { outputs.popFirst() }

    private mutating func report(_ event: Event) {
        if outputs.count < Self.maximumWaiting { outputs.append(.event(event)) }
    }
}
