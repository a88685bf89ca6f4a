// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

// snippet: doorbell
/// A doorbell: tells its subscribers how often it was rung, and can be muted.
struct Doorbell: DeviceSession {
    enum Event: Sendable, Equatable {
        case muted(Bool)
    }

    static let service = BluetoothUUID(high: 0xD00B_E110_0001_4000, low: 0x8000_6C61_6E74_6572)
    static let rings = BluetoothUUID(high: 0xD00B_E110_0002_4000, low: 0x8000_6C61_6E74_6572)
    static let mute = BluetoothUUID(high: 0xD00B_E110_0003_4000, low: 0x8000_6C61_6E74_6572)

    private var handles: (rings: AttributeHandle, mute: AttributeHandle)?
    private var listeners: [LinkID] = []
    private var count: UInt8 = 0
    private var isMuted = false
    private var outputs: [DeviceOutput<Event>] = []

    init() {}

    let name: WireText = "Doorbell"
    let appearance: UInt16 = 0

    var services: [GATT.ServiceDefinition] {
        [
            GATT.ServiceDefinition(
                Self.service,
                characteristics: [
                    GATT.CharacteristicDefinition(Self.rings, [.read, .notify], value: .delegated),
                    GATT.CharacteristicDefinition(Self.mute, [.read, .write], value: .delegated),
                ])
        ]
    }

    /// The service in the advertisement and the name in the scan response.
    var advertisement: DeviceAdvertisement {
        let (data, response) = AdvertisingDataBuilder.device(Self.service, name: name)
        return DeviceAdvertisement(data: data, scanResponse: response)
    }

    mutating func start(handles: GATT.ValueHandles, at now: HostInstant) {
        if let rings = handles[Self.rings], let mute = handles[Self.mute] {
            self.handles = (rings, mute)
        }
    }

    /// Somebody has pressed the button.
    mutating func ring(at now: HostInstant) {
        guard !isMuted, let handles else { return }
        count &+= 1
        for link in listeners { outputs.append(.send(link, handles.rings, [count], .notify)) }
    }

    mutating func receive(_ input: DeviceInput, at now: HostInstant) {
        switch input {
        case .subscribed(let link, let handle, let wanted) where handle == handles?.rings:
            listeners.removeAll { $0 == link }
            if wanted.contains(.notify) { listeners.append(link) }
        case .disconnected(let link): listeners.removeAll { $0 == link }
        case .connected, .mtuChanged, .subscribed: break
        }
    }

    mutating func read(
        _ handle: AttributeHandle, on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) -> [UInt8] { handle == handles?.mute ? [isMuted ? 1 : 0] : [count] }

    mutating func write(
        _ handle: AttributeHandle, _ value: [UInt8], on link: LinkID, at now: HostInstant
    ) throws(ATT.ErrorCode) {
        guard handle == handles?.mute else { throw .writeNotPermitted }
        guard value.count == 1, value[0] <= 1 else { throw .invalidAttributeValueLength }
        isMuted = value[0] == 1
        outputs.append(.event(.muted(isMuted)))
    }

    let nextDeadline: HostInstant? = nil
    mutating func deadlineReached(at now: HostInstant) {}

    mutating func nextOutput() -> DeviceOutput<Event>? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }
}
// end
