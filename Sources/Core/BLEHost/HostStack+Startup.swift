// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

extension HostStack {
    /// What start-up asks, in this order.
    private static let startupCommands: [HCI.Opcode] = [
        .reset, .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures,
        .readBDADDR, .leReadLocalSupportedFeatures, .leReadBufferSize, .setEventMask, .leSetEventMask,
        .writeLEHostSupport, .leReadFilterAcceptListSize, .leReadMaximumAdvertisingDataLength,
        .leWriteSuggestedDefaultDataLength, .leRand, .leSetRandomAddress,
    ]

    /// Start-up goes on when the controller refuses one of these.
    private static let optional: [HCI.Opcode] = [
        .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBDADDR,
        .leRand, .leSetRandomAddress, .leWriteSuggestedDefaultDataLength, .writeLEHostSupport,
        .leReadFilterAcceptListSize, .leReadMaximumAdvertisingDataLength,
    ]

    private static var events: HCI.EventMask {
        [
            .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .hardwareError,
            .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
        ]
    }

    /// The LE events that are wanted; old controllers refuse bits of features that they do not have.
    private var leEvents: HCI.LEEventMask {
        var events: HCI.LEEventMask = [
            .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
        ]
        let features = controller.features
        if features.contains(.connectionParametersRequest) {
            events.insert(.remoteConnectionParameterRequest)
        }
        if features.contains(.dataPacketLengthExtension) { events.insert(.dataLengthChange) }
        if features.contains(.privacy) { events.insert(.enhancedConnectionComplete) }
        if !features.isDisjoint(with: [.phy2M, .phyCoded]) { events.insert(.phyUpdateComplete) }
        if features.contains(.extendedAdvertising) {
            events.insert([.extendedAdvertisingReport, .advertisingSetTerminated])
        }
        return events
    }

    /// Resets the controller and learns what it can do; ends with `ready` or `failed`.
    ///
    /// - Parameter now: The moment.
    public mutating func start(at now: HostInstant) {
        guard case .off = phase else { return }
        controller = ControllerInformation()
        controller.ownAddress = configuration.usableAddress
        scanner = Scanner()
        advertiser = Advertiser()
        phase = .starting(remaining: Self.startupCommands)
        proceedWithStartup(at: now)
        pump(at: now)
    }

    /// Sends the next start-up command, or is ready.
    private mutating func proceedWithStartup(at now: HostInstant) {
        guard case .starting(let remaining) = phase else { return }
        guard let next = remaining.first else {
            phase = .ready
            acl.length = controller.aclDataLength
            acl.free = controller.aclDataPackets
            tell(.ready(controller))
            return
        }
        switch next {
        case .reset: command(HCI.Reset(), at: now)
        case .readLocalVersionInformation: command(HCI.ReadLocalVersionInformation(), at: now)
        case .readLocalSupportedCommands: command(HCI.ReadLocalSupportedCommands(), at: now)
        case .readLocalSupportedFeatures: command(HCI.ReadLocalSupportedFeatures(), at: now)
        case .readBDADDR: command(HCI.ReadBDADDR(), at: now)
        case .leReadLocalSupportedFeatures: command(HCI.LEReadLocalSupportedFeatures(), at: now)
        case .leReadBufferSize: command(HCI.LEReadBufferSize(), at: now)
        case .readBufferSize: command(HCI.ReadBufferSize(), at: now)
        case .setEventMask: command(HCI.SetEventMask(mask: Self.events), at: now)
        case .leSetEventMask: command(HCI.LESetEventMask(mask: leEvents), at: now)
        case .leRand where configuration.usableAddress == nil && controller.publicAddress == nil:
            command(HCI.LERand(), at: now)
        case .leSetRandomAddress where controller.ownAddress?.kind == .random:
            if let address = controller.ownAddress {
                command(HCI.LESetRandomAddress(address: address), at: now)
            }
        case .leWriteSuggestedDefaultDataLength
        where controller.features.contains(.dataPacketLengthExtension)
            && supports(.leWriteSuggestedDefaultDataLength):
            // The longest packets that there are: 251 octets, which take 2120 µs on LE 1M.
            command(HCI.LEWriteSuggestedDefaultDataLength(maxTxOctets: 251, maxTxTime: 2120), at: now)
        case .writeLEHostSupport where controller.isDualMode && supports(.writeLEHostSupport):
            command(HCI.WriteLEHostSupport(isSupported: true, simultaneous: 0), at: now)
        case .leReadFilterAcceptListSize where supports(.leReadFilterAcceptListSize):
            command(HCI.LEReadFilterAcceptListSize(), at: now)
        case .leReadMaximumAdvertisingDataLength where controller.usesExtendedCommands:
            command(HCI.LEReadMaximumAdvertisingDataLength(), at: now)
        default:
            phase = .starting(remaining: Array(remaining.dropFirst()))
            proceedWithStartup(at: now)
        }
    }

    /// Takes the answer to a start-up command.
    mutating func startupCompleted(_ completion: HCI.CommandQueue.Completion, at now: HostInstant) {
        guard case .starting(var remaining) = phase, completion.request.opcode == remaining.first else {
            return
        }
        let opcode = remaining.removeFirst()
        do throws(HCI.ReplyError) {
            try learn(completion, &remaining)
        } catch {
            // An address that the controller will not take is not used.
            if opcode == .leSetRandomAddress { controller.ownAddress = controller.publicAddress }
            if !Self.optional.contains(opcode) {
                switch error {
                case .refused(.unknownCommand) where opcode.group == HCI.Opcode.leRand.group:
                    fail(.noLE, at: now)
                case .refused(let status): fail(.refused(opcode, status), at: now)
                case .malformed: fail(.badAnswer(opcode), at: now)
                }
                return
            }
        }
        phase = .starting(remaining: remaining)
        proceedWithStartup(at: now)
    }

    private mutating func learn(
        _ completion: HCI.CommandQueue.Completion, _ remaining: inout [HCI.Opcode]
    ) throws(HCI.ReplyError) {
        let octets: [UInt8]
        switch completion.answer {
        case .complete(let parameters): octets = parameters
        case .status(let status): throw .refused(status)
        }
        switch completion.request.opcode {
        case .readLocalVersionInformation:
            controller.version = try HCI.ReadLocalVersionInformation.decodeReturn(octets)
        case .readLocalSupportedFeatures:
            let features = try HCI.ReadLocalSupportedFeatures.decodeReturn(octets).features
            controller.isDualMode = !features.contains(.bredrNotSupported)
        case .leReadFilterAcceptListSize:
            controller.filterAcceptListSize = Int(
                try HCI.LEReadFilterAcceptListSize.decodeReturn(octets).size)
        case .leReadMaximumAdvertisingDataLength:
            let length = Int(try HCI.LEReadMaximumAdvertisingDataLength.decodeReturn(octets).length)
            controller.maximumAdvertisingDataLength = min(
                max(length, HCI.legacyAdvertisingDataLimit), HCI.extendedAdvertisingDataLimit)
        case .readLocalSupportedCommands:
            controller.supportedCommands = try HCI.ReadLocalSupportedCommands.decodeReturn(octets).commands
        case .readBDADDR:
            let address = try HCI.ReadBDADDR.decodeReturn(octets).address
            controller.publicAddress = address.value == 0 ? nil : address
            controller.ownAddress =
                configuration.usableAddress ?? controller.publicAddress.map { Self.staticAddress($0.value) }
        case .leReadLocalSupportedFeatures:
            controller.features = try HCI.LEReadLocalSupportedFeatures.decodeReturn(octets).features
        case .leReadBufferSize:
            let size = try HCI.LEReadBufferSize.decodeReturn(octets)
            if size.aclDataPacketLength == 0 || size.totalACLDataPackets == 0 {
                // No buffers of its own for LE: those of BR/EDR are shared.
                remaining.insert(.readBufferSize, at: 0)
            } else {
                controller.aclDataLength = max(Int(size.aclDataPacketLength), 27)
                controller.aclDataPackets = Int(size.totalACLDataPackets)
            }
        case .readBufferSize:
            let size = try HCI.ReadBufferSize.decodeReturn(octets)
            controller.aclDataLength = max(Int(size.aclDataPacketLength), 27)
            controller.aclDataPackets = max(Int(size.totalACLDataPackets), 1)
        case .leRand:
            controller.ownAddress = Self.staticAddress(try HCI.LERand.decodeReturn(octets).random)
        case .reset: _ = try HCI.Reset.decodeReturn(octets)
        case .setEventMask: _ = try HCI.SetEventMask.decodeReturn(octets)
        case .leSetEventMask: _ = try HCI.LESetEventMask.decodeReturn(octets)
        case .leSetRandomAddress: _ = try HCI.LESetRandomAddress.decodeReturn(octets)
        default: break
        }
    }

    /// A static random address that stays the same for the same bits, of which it takes 46.
    ///
    /// Its two highest bits are 1; of the others at least one is 1 and one is 0.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.1.
    static func staticAddress(_ bits: UInt64) -> BluetoothAddress {
        let part = bits & 0x3FFF_FFFF_FFFF
        let isUniform = part == 0 || part == 0x3FFF_FFFF_FFFF
        return BluetoothAddress(0xC000_0000_0000 | (isUniform ? part ^ 1 : part), .random)
    }

    /// Which of its addresses the controller is to use.
    var ownAddressType: HCI.OwnAddressType { controller.ownAddress?.kind == .random ? .random : .public }

    /// Whether the controller knows a command; one that would not say is believed to.
    func supports(_ opcode: HCI.Opcode) -> Bool { controller.supportedCommands?.contains(opcode) ?? true }
}
