// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEHCI
import BLEWire

/// Why a device's host is off.
public enum DeviceFailure: Error, Hashable, Sendable {
    /// The controller did not answer a command in time.
    case silent(HCI.Opcode)
    /// The controller refused a command.
    case refused(HCI.Opcode, HCI.Status)
    /// The controller has told of a fault, by its own code.
    case hardware(UInt8)
    /// More commands wait for the controller than there may.
    case tooManyCommands
}

/// What a device asks of its controller: to start, to advertise, and what its links need, one command at a time.
///
/// Spec: Core v5.4, Vol 4, Part E, 4.4 (one command at a time as long as the controller says no more), 7.3, 7.8.
struct DeviceController: Sendable {
    enum Event {
        case ready
        case advertising
        case failed(DeviceFailure)
    }

    private enum Phase: Equatable {
        case off, starting, ready
    }

    /// Whether the controller advertises, as far as it was told and has said so.
    private enum Advertising {
        case off, begins, on
    }

    private var phase = Phase.off
    private let address: BluetoothAddress?
    private let maximumCommands = 16
    /// Commands that wait for their turn.
    private var waiting: [[UInt8]] = []
    /// The command that the controller has to answer, and by when.
    private var current: (opcode: HCI.Opcode, deadline: HostInstant)?
    private var advertisement: DeviceAdvertisement?
    private var advertising = Advertising.off
    /// How long a packet of data may be, in octets.
    private(set) var packetLength = 27
    /// How many packets of data the controller has room for in all.
    private(set) var packetCount = 0
    /// Packets for the controller.
    var packets: [[UInt8]] = []
    var events: [Event] = []

    init(address: BluetoothAddress?) { self.address = address }

    var isReady: Bool { phase == .ready }
    var nextDeadline: HostInstant? { current?.deadline }

    mutating func start(at now: HostInstant) {
        stop()
        phase = .starting
        send(.reset, [], at: now)
    }

    /// Handles that the controller is gone, or that nothing more is wanted of it.
    mutating func stop() {
        phase = .off
        waiting = []
        packets = []
        current = nil
        advertising = .off
    }

    mutating func deadlineReached(at now: HostInstant) {
        guard let current, current.deadline <= now else { return }
        fail(.silent(current.opcode))
    }

    mutating func fail(_ failure: DeviceFailure) {
        stop()
        events.append(.failed(failure))
    }

    // MARK: Commands

    @inline(never)
    mutating func send(_ opcode: HCI.Opcode, _ parameters: [UInt8], at now: HostInstant) {
        guard phase != .off else { return }
        guard waiting.count < maximumCommands else { return fail(.tooManyCommands) }
        var packet = [HCI.PacketIndicator.command.rawValue]
        packet.append(number: Int(opcode.rawValue))
        packet.append(UInt8(truncatingIfNeeded: parameters.count))
        packet.append(contentsOf: parameters)
        waiting.append(packet)
        next(at: now)
    }

    private mutating func next(at now: HostInstant) {
        guard current == nil, !waiting.isEmpty else { return }
        let packet = waiting.removeFirst()
        current = (
            HCI.Opcode(rawValue: UInt16(truncatingIfNeeded: packet.number(at: 1))), now.advanced(bySeconds: 2)
        )
        packets.append(packet)
    }

    /// Takes the answer to a command.
    ///
    /// - Parameters:
    ///   - opcode: The command.
    ///   - returned: Its return parameters, from the status on.
    ///   - now: The moment.
    @inline(never)
    mutating func answered(_ opcode: HCI.Opcode, _ returned: ArraySlice<UInt8>, at now: HostInstant) {
        guard current?.opcode == opcode else { return }
        current = nil
        let status = HCI.Status(rawValue: returned.first ?? HCI.Status.unspecifiedError.rawValue)
        if phase == .starting {
            started(opcode, status, returned, at: now)
        } else {
            advertised(opcode, status, at: now)
        }
        next(at: now)
    }

    /// Goes on after a command of the start.
    private mutating func started(
        _ opcode: HCI.Opcode, _ status: HCI.Status, _ returned: ArraySlice<UInt8>, at now: HostInstant
    ) {
        // Only what every controller can do has to be done.
        let isOptional =
            opcode == .leReadLocalSupportedFeatures || opcode == .leWriteSuggestedDefaultDataLength
        guard status == .success || isOptional else { return fail(.refused(opcode, status)) }
        let octets = [UInt8](returned)
        switch opcode {
        case .reset:
            let mask: HCI.EventMask = [
                .disconnectionComplete, .encryptionChange, .hardwareError, .encryptionKeyRefreshComplete,
                .leMeta,
            ]
            send(.setEventMask, Self.octets(mask.rawValue), at: now)
        case .setEventMask:
            let mask: HCI.LEEventMask = [
                .connectionComplete, .connectionUpdateComplete, .longTermKeyRequest,
                .remoteConnectionParameterRequest, .dataLengthChange,
            ]
            send(.leSetEventMask, Self.octets(mask.rawValue), at: now)
        case .leSetEventMask: send(.leReadBufferSize, [], at: now)
        case .leReadBufferSize where octets.count >= 4 && octets.number(at: 1) > 0:
            (packetLength, packetCount) = (max(27, octets.number(at: 1)), Int(octets[3]))
            send(.leReadLocalSupportedFeatures, [], at: now)
        // The buffers are shared with another radio.
        case .leReadBufferSize: send(.readBufferSize, [], at: now)
        case .readBufferSize where octets.count >= 6:
            (packetLength, packetCount) = (max(27, octets.number(at: 1)), octets.number(at: 4))
            send(.leReadLocalSupportedFeatures, [], at: now)
        case .leReadLocalSupportedFeatures
        where status == .success && octets.count > 1 && octets[1] & 0x20 != 0:
            // The longest packets on the air, 251 octets in 2120 microseconds.
            send(.leWriteSuggestedDefaultDataLength, [0xFB, 0x00, 0x48, 0x08], at: now)
        case .leReadLocalSupportedFeatures, .leWriteSuggestedDefaultDataLength:
            guard let address, address.kind == .random else { return ready(at: now) }
            send(.leSetRandomAddress, Array(Self.octets(address.value).prefix(6)), at: now)
        case .leSetRandomAddress: ready(at: now)
        default: fail(.refused(opcode, .unspecifiedError))
        }
    }

    private mutating func ready(at now: HostInstant) {
        phase = .ready
        events.append(.ready)
    }

    private static func octets(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    // MARK: Advertising

    /// Puts an advertisement on the air, in the place of the one before.
    @inline(never)
    mutating func advertise(_ advertisement: DeviceAdvertisement, isWanted: Bool, at now: HostInstant) {
        self.advertisement = advertisement
        guard isReady, isWanted else { return }
        if advertising != .off { send(.leSetAdvertisingEnable, [0], at: now) }
        advertising = .off
        resume(at: now)
    }

    /// Advertises, unless it does already: a connection has ended it.
    @inline(never)
    mutating func resume(at now: HostInstant) {
        guard isReady, advertising == .off, let advertisement else { return }
        advertising = .begins
        let ownAddress: UInt8 = address?.kind == .random ? 1 : 0
        // Every 100 to 150 ms, for everybody to connect to, on all three channels.
        send(
            .leSetAdvertisingParameters, [0xA0, 0, 0xF0, 0, 0, ownAddress, 0, 0, 0, 0, 0, 0, 0, 0x07, 0],
            at: now)
        send(.leSetAdvertisingData, Self.padded(advertisement.data), at: now)
        send(.leSetScanResponseData, Self.padded(advertisement.scanResponse), at: now)
        send(.leSetAdvertisingEnable, [1], at: now)
    }

    /// Handles that a connection has ended advertising.
    mutating func advertisingEnded() { if advertising == .on { advertising = .off } }

    private static func padded(_ data: [UInt8]) -> [UInt8] {
        let count = min(data.count, HCI.legacyAdvertisingDataLimit)
        return [UInt8(count)] + data.prefix(count)
            + [UInt8](repeating: 0, count: HCI.legacyAdvertisingDataLimit - count)
    }

    private mutating func advertised(_ opcode: HCI.Opcode, _ status: HCI.Status, at now: HostInstant) {
        switch opcode {
        case .leSetAdvertisingEnable, .leSetAdvertisingParameters, .leSetAdvertisingData,
            .leSetScanResponseData:
            break
        default: return
        }
        guard advertising == .begins else { return }
        if status != .success {
            advertising = .off
            events.append(.failed(.refused(opcode, status)))
        } else if opcode == .leSetAdvertisingEnable,
            !waiting.contains(where: { $0.number(at: 1) == Int(opcode.rawValue) })
        {
            advertising = .on
            events.append(.advertising)
        }
    }
}
