// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

extension HostStack {
    /// What start-up asks, in this order.
    private static let startupCommands: [HCI.Opcode] = [
        .reset, .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures,
        .readBDADDR, .leReadLocalSupportedFeatures, .leReadBufferSize, .setEventMask, .leSetEventMask,
        .writeLEHostSupport, .hostBufferSize, .setControllerToHostFlowControl, .leReadFilterAcceptListSize,
        .leSetExtendedScanParameters, .leReadMaximumAdvertisingDataLength,
        .leWriteSuggestedDefaultDataLength, .leRand, .leSetRandomAddress,
    ]

    /// Whether the controller is to send data only as far as there is room for them.
    ///
    /// Only where somebody reports what is consumed, and the controller says that it can.
    private var wantsFlowControl: Bool {
        guard configuration.limits.unconsumedEvents != nil, let known = controller.supportedCommands else {
            return false
        }
        return known.contains(.hostBufferSize) && known.contains(.setControllerToHostFlowControl)
            && known.contains(.hostNumberOfCompletedPackets)
    }

    /// Start-up goes on when the controller refuses one of these, or answers it with nonsense.
    private static let optional: [HCI.Opcode] = [
        .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBDADDR,
        .leRand, .leSetRandomAddress, .leWriteSuggestedDefaultDataLength, .writeLEHostSupport,
        .leReadFilterAcceptListSize, .leReadMaximumAdvertisingDataLength, .hostBufferSize,
        .setControllerToHostFlowControl, .leSetExtendedScanParameters,
    ]

    /// The events that are wanted; fewer after a refusal.
    private var events: HCI.EventMask {
        if wasRefused(.setEventMask) { return [.disconnectionComplete, .hardwareError, .leMeta] }
        return [
            .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .hardwareError,
            .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
        ]
    }

    private func wasRefused(_ opcode: HCI.Opcode) -> Bool {
        controller.refusals.contains { $0.opcode == opcode }
    }

    /// The LE events that are wanted, fewer after a refusal.
    ///
    /// Old controllers refuse bits of features that they do not have.
    private var leEvents: HCI.LEEventMask {
        var events: HCI.LEEventMask = [
            .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
        ]
        if configuration.cryptography != nil { events.insert(.longTermKeyRequest) }
        if wasRefused(.leSetEventMask) { return events }
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
    #if hasFeature(Embedded) && hasAttribute(export)
    @export(interface) @inline(never)
    #endif
    public mutating func start(at now: HostInstant) {
        guard case .off = phase else { return }
        controller = ControllerInformation()
        controller.ownAddress = configuration.usableAddress
        reception = nil
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
            advertiser = Advertiser(
                Advertiser.Means(
                    isExtended: controller.usesExtendedCommands,
                    hasRandomAddress: controller.ownAddress?.kind == .random,
                    maximumCentrals: configuration.maximumCentrals))
            beginPrivacy(at: now)
            report(.ready(controller))
            return
        }
        let purpose = Purpose.startup(next)
        switch next {
        case .reset: enqueue(HCI.Reset(), for: purpose, at: now)
        case .readLocalVersionInformation: enqueue(HCI.ReadLocalVersionInformation(), for: purpose, at: now)
        case .readLocalSupportedCommands: enqueue(HCI.ReadLocalSupportedCommands(), for: purpose, at: now)
        case .readLocalSupportedFeatures: enqueue(HCI.ReadLocalSupportedFeatures(), for: purpose, at: now)
        case .readBDADDR: enqueue(HCI.ReadBDADDR(), for: purpose, at: now)
        case .leReadLocalSupportedFeatures: enqueue(HCI.LEReadLocalSupportedFeatures(), for: purpose, at: now)
        case .leReadBufferSize: enqueue(HCI.LEReadBufferSize(), for: purpose, at: now)
        case .readBufferSize: enqueue(HCI.ReadBufferSize(), for: purpose, at: now)
        case .setEventMask: enqueue(HCI.SetEventMask(mask: events), for: purpose, at: now)
        case .leSetEventMask: enqueue(HCI.LESetEventMask(mask: leEvents), for: purpose, at: now)
        case .leRand where configuration.usableAddress == nil && controller.publicAddress == nil:
            enqueue(HCI.LERand(), for: purpose, at: now)
        case .leSetRandomAddress where controller.ownAddress?.kind == .random:
            if let address = controller.ownAddress {
                enqueue(HCI.LESetRandomAddress(address: address), for: purpose, at: now)
            }
        case .leWriteSuggestedDefaultDataLength
        where controller.features.contains(.dataPacketLengthExtension)
            && supports(.leWriteSuggestedDefaultDataLength):
            // The longest packets that there are: 251 octets, which take 2120 µs on LE 1M.
            enqueue(
                HCI.LEWriteSuggestedDefaultDataLength(maxTxOctets: 251, maxTxTime: 2120), for: purpose,
                at: now)
        case .writeLEHostSupport where controller.isDualMode && supports(.writeLEHostSupport):
            enqueue(HCI.WriteLEHostSupport(isSupported: true, simultaneous: 0), for: purpose, at: now)
        case .hostBufferSize where wantsFlowControl:
            enqueue(
                HCI.HostBufferSize(
                    aclDataPacketLength: Reception.length, totalACLDataPackets: UInt16(Reception.packets)),
                for: purpose, at: now)
        case .setControllerToHostFlowControl where reception != nil:
            enqueue(HCI.SetControllerToHostFlowControl(.acl), for: purpose, at: now)
        case .leReadFilterAcceptListSize where supports(.leReadFilterAcceptListSize):
            enqueue(HCI.LEReadFilterAcceptListSize(), for: purpose, at: now)
        case .leSetExtendedScanParameters where controller.usesExtendedCommands:
            // Some controllers only claim that they have these commands, or LE Coded.
            let phy = HCI.LESetExtendedScanParameters.PHYParameters(
                type: .passive, interval: AdvertisingInterval(rawValue: 0x60),
                window: AdvertisingInterval(rawValue: 0x30))
            enqueue(
                HCI.LESetExtendedScanParameters(
                    ownAddressType: .public, filterPolicy: .all, le1M: phy,
                    leCoded: controller.features.contains(.phyCoded) ? phy : nil), for: purpose, at: now)
        case .leReadMaximumAdvertisingDataLength where controller.usesExtendedCommands:
            enqueue(HCI.LEReadMaximumAdvertisingDataLength(), for: purpose, at: now)
        default:
            phase = .starting(remaining: Array(remaining.dropFirst()))
            proceedWithStartup(at: now)
        }
    }

    /// Takes the answer to a start-up command.
    mutating func startupCompleted(_ opcode: HCI.Opcode, _ answer: CommandAnswer, at now: HostInstant) {
        guard case .starting(var remaining) = phase, opcode == remaining.first else { return }
        remaining.removeFirst()
        do throws(HCI.ReplyError) {
            try learn(opcode, answer, &remaining)
        } catch {
            let status: HCI.Status? = if case .refused(let status) = error { status } else { nil }
            controller.refusals.append(RejectedCommand(opcode, status))
            if doWithout(opcode, status, at: now) {
                remaining.insert(opcode, at: 0)
            } else if !Self.optional.contains(opcode) {
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

    /// Wants less of the controller after it has refused a command.
    ///
    /// - Returns: Whether the command is worth another try.
    private mutating func doWithout(
        _ opcode: HCI.Opcode, _ status: HCI.Status?, at now: HostInstant
    ) -> Bool {
        switch opcode {
        case .setControllerToHostFlowControl: reception = nil
        // Better one that depends on the moment than none.
        case .leRand:
            controller.ownAddress = Self.staticAddress(now.microseconds &* 0x9E37_79B9_7F4A_7C15 >> 16)
        // An address that the controller will not take is not used.
        case .leSetRandomAddress: controller.ownAddress = controller.publicAddress
        case .setEventMask, .leSetEventMask:
            // Controllers must ignore bits that they do not know, but some refuse the whole.
            let isAboutBits =
                status == .invalidHCICommandParameters || status == .unsupportedFeatureOrParameterValue
            guard isAboutBits, controller.refusals.count(where: { $0.opcode == opcode }) == 1 else {
                return false
            }
            // Its reports would not come.
            if opcode == .leSetEventMask { controller.features.remove(.extendedAdvertising) }
            return true
        case .leSetExtendedScanParameters:
            if controller.features.contains(.phyCoded) {
                controller.features.remove(.phyCoded)
                return true
            }
            controller.features.remove(.extendedAdvertising)
        default: break
        }
        return false
    }

    private mutating func learn(
        _ opcode: HCI.Opcode, _ answer: CommandAnswer, _ remaining: inout [HCI.Opcode]
    ) throws(HCI.ReplyError) {
        let octets: [UInt8]
        switch answer {
        case .complete(let parameters): octets = parameters
        case .status(let status): throw .refused(status)
        }
        switch opcode {
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
            controller.publicAddress = Self.isPlaceholder(address) ? nil : address
            controller.ownAddress =
                configuration.usableAddress ?? controller.publicAddress.map { Self.staticAddress($0.value) }
        case .leReadLocalSupportedFeatures:
            controller.features = try HCI.LEReadLocalSupportedFeatures.decodeReturn(octets).features
            if let version = controller.version, Self.refusesToScanWhileLinked(version) {
                controller.features.remove(.extendedAdvertising)
            }
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
            controller.sharesDataBuffers = true
            controller.aclDataLength = max(Int(size.aclDataPacketLength), 27)
            controller.aclDataPackets = max(Int(size.totalACLDataPackets), 1)
        case .leRand:
            controller.ownAddress = Self.staticAddress(try HCI.LERand.decodeReturn(octets).random)
        case .hostBufferSize:
            _ = try HCI.HostBufferSize.decodeReturn(octets)
            reception = Reception()
        case .setControllerToHostFlowControl:
            _ = try HCI.SetControllerToHostFlowControl.decodeReturn(octets)
        case .reset: _ = try HCI.Reset.decodeReturn(octets)
        case .setEventMask: _ = try HCI.SetEventMask.decodeReturn(octets)
        case .leSetEventMask: _ = try HCI.LESetEventMask.decodeReturn(octets)
        case .leSetRandomAddress: _ = try HCI.LESetRandomAddress.decodeReturn(octets)
        case .leSetExtendedScanParameters: _ = try HCI.LESetExtendedScanParameters.decodeReturn(octets)
        case .writeLEHostSupport: _ = try HCI.WriteLEHostSupport.decodeReturn(octets)
        case .leWriteSuggestedDefaultDataLength:
            _ = try HCI.LEWriteSuggestedDefaultDataLength.decodeReturn(octets)
        default: break
        }
    }

    /// Whether a controller does not scan in the extended way while it has a link, which shows only then: Realtek's of Bluetooth 5.1
    /// (RTL8761B, of which nearly all dongles of these years are made), as patches for Linux say (bluetooth-next 133).
    ///
    /// Their subversion is that of the firmware that was loaded, so it does not name the chip.
    private static func refusesToScanWhileLinked(
        _ version: HCI.ReadLocalVersionInformation.ReturnParameters
    ) -> Bool {
        version.companyIdentifier == 0x005D && version.hciVersion == 0x0A
    }

    /// Whether an address is no device's own: none at all, or what the chips of a kind have before a maker gives them
    /// one, as the drivers of Linux 6.6 list them (btbcm.c, btintel.h, btqca.h), and the Raspberry Pi's.
    private static func isPlaceholder(_ address: BluetoothAddress) -> Bool {
        switch address.value {
        case 0, 0xFFFF_FFFF_FFFF, 0xAAAA_AAAA_AAAA: true
        // Broadcom: the number of the chip.
        case 0x0020_7002_A000, 0x2070_02A0_0000, 0x2076_A000_5679, 0x4343_A012_1FAC,
            0x4324_B300_0000, 0x4330_B100_0000, 0x4334_B000_0000, 0x4345_C500_1FAC, 0x4334_1B00_1FAC:
            true
        // Intel, Qualcomm.
        case 0x0003_199E_8B00, 0x0000_0000_5AAD: true
        default: false
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
        return BluetoothAddress(0xC000_0000_0000 | (isUniform ? part ^ 1 : part), kind: .random)
    }

    /// Which of its addresses the controller is to use.
    var ownAddressType: HCI.OwnAddressType { controller.ownAddress?.kind == .random ? .random : .public }

    /// Whether the controller knows a command; one that would not say is believed to.
    func supports(_ opcode: HCI.Opcode) -> Bool { controller.supportedCommands?.contains(opcode) ?? true }
}
