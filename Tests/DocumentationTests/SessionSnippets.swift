// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

// snippet: session
/// Sends its temperature every second to whoever has subscribed.
struct Thermometer: DeviceSession {
    enum Event: Sendable {
        case subscribed(LinkID, Bool)
    }

    private var handle: AttributeHandle = 0
    private var listeners: [LinkID] = []
    private var outputs: [DeviceOutput<Event>] = []
    private var temperature: Int16 = 2150
    private(set) var nextDeadline: HostInstant?

    let name: WireText = "Thermometer"
    let appearance: UInt16 = 0x0300

    var services: [GATT.ServiceDefinition] {
        let value = GATT.CharacteristicDefinition(
            BluetoothUUID(0x2A6E), [.read, .notify], value: .delegated)
        return [GATT.ServiceDefinition(BluetoothUUID(0x181A), characteristics: [value])]
    }

    var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(BluetoothUUID(0x181A), name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        handle = handles[BluetoothUUID(0x2A6E)] ?? 0
    }

    mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .subscribed(let link, handle, let wanted):
            listeners.removeAll { $0 == link }
            if wanted.contains(.notify) { listeners.append(link) }
            outputs.append(.event(.subscribed(link, wanted.contains(.notify))))
        case .disconnected(let link): listeners.removeAll { $0 == link }
        case .connected, .mtuChanged, .subscribed: break
        }
        nextDeadline = listeners.isEmpty ? nil : now.advanced(bySeconds: 1)
    }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { octets }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) { throw .writeNotPermitted }

    mutating func deadlineReached(at now: HostInstant) {
        temperature += 1
        for link in listeners { outputs.append(.send(link, handle, octets, .notify)) }
        nextDeadline = now.advanced(bySeconds: 1)
    }

    mutating func nextOutput() -> DeviceOutput<Event>? { outputs.isEmpty ? nil : outputs.removeFirst() }

    private var octets: [UInt8] {
        [UInt8(truncatingIfNeeded: temperature), UInt8(truncatingIfNeeded: temperature >> 8)]
    }
}
// end

// snippet: client-session
/// Listens to a thermometer, and comes back to it when the link is lost.
struct ThermometerReader: ClientSession, ~Copyable {
    enum Event: Sendable, Equatable {
        case link(DeviceLink.State)
        case hundredths(Int16)
        case nonsense([UInt8])
    }

    private enum Request: Sendable { case subscribe }

    private var core: ClientCore<Request, Event>

    init(target: DeviceLink.Target = .any) {
        core = ClientCore(
            DeviceLink.Configuration(
                target: target, services: [BluetoothUUID(0x181A)],
                required: [DeviceLink.Requirement(BluetoothUUID(0x2A6E), anyOf: .notify)]))
    }

    var nextDeadline: HostInstant? { core.nextDeadline }

    mutating func nextOutput() -> ClientOutput<Event>? { core.nextOutput() }

    mutating func receive(_ input: ClientInput, at now: HostInstant) {
        core.receive(input, at: now)
        advance(at: now)
    }

    mutating func deadlineReached(at now: HostInstant) {
        core.deadlineReached(at: now)
        advance(at: now)
    }

    /// Ends the session.
    mutating func close(at now: HostInstant) {
        core.close(at: now)
        advance(at: now)
    }

    private mutating func advance(at now: HostInstant) {
        while let step = core.nextStep(at: now) {
            switch step {
            case .report(let report): core.report(.link(report.state))
            case .fits(let found): core.request(.subscribe, .subscribe(found[0], .notify))
            case .completed(.subscribe, .success): core.ready(at: now)
            case .completed(.subscribe, .failure(let failure)): core.fail(failure, at: now)
            case .value(_, let octets):
                guard octets.count == 2 else {
                    core.report(.nonsense(octets))
                    break
                }
                core.report(.hundredths(Int16(truncatingIfNeeded: Int(octets[0]) | Int(octets[1]) << 8)))
            case .discovered, .mtu, .named, .lost, .finished: break
            }
        }
    }
}
// end
