// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLESMP
public import BLEWire

// Addresses that change: ours, and those of bonded devices.
extension HostStack {
    /// The address that others hear; `nil` when the host is off.
    public var addressOnAir: BluetoothAddress? { pause.address ?? controller.ownAddress }

    /// Hides behind addresses that change, or no more; ends with `addressChanged` or `addressRefused`.
    ///
    /// Advertising and scanning rest for a moment; links stay as they are. A link that is being opened is waited for.
    ///
    /// - Parameters:
    ///   - privacy: How; `nil` shows the address that stays.
    ///   - now: The moment.
    public mutating func usePrivacy(_ privacy: HostPrivacy?, at now: HostInstant) {
        configuration.privacy = privacy
        guard isReady else { return }
        pause.wantsAddress = true
        pauseAir(at: now)
        pump(at: now)
    }

    /// Tells the controller what start-up has not.
    mutating func beginPrivacy(at now: HostInstant) {
        pause = AirPause()
        pause.wantsAddress = configuration.privacy != nil
        bondsChanged()
        pauseAir(at: now)
    }

    /// Takes up that other devices are bonded than before.
    mutating func bondsChanged() {
        resolvedAddresses.removeAll()
        resolvesPeers =
            configuration.cryptography != nil
            && bonds.contains { $0.identity?.resolvingKey != nil }
        let isListed = resolvesPeers || !pause.resolved.isEmpty
        if isReady, isListed, canResolveInController { pause.wantsList = true }
    }

    /// Whether the controller says that it resolves addresses.
    private var canResolveInController: Bool {
        guard controller.features.contains(.privacy), let known = controller.supportedCommands else {
            return false
        }
        return known.contains(.leAddDeviceToResolvingList) && known.contains(.leClearResolvingList)
            && known.contains(.leSetAddressResolutionEnable) && known.contains(.leSetPrivacyMode)
    }

    // MARK: The pause

    /// Does what is wanted as soon as nothing is on the air.
    mutating func pauseAir(at now: HostInstant) {
        guard isReady, pause.isWanted else { return }
        switch pause.state {
        case .idle:
            pause.state = .waiting
            initiator.isHeld = true
        case .waiting: break
        case .telling: return
        }
        guard !initiator.isBusy else { return }
        scanner.rest()
        drainScanner(at: now)
        advertiser.hold(at: now)
        drainAdvertiser(at: now)
        guard advertiser.isOffAir else { return }
        pause.state = .telling(unanswered: 0)
        if pause.wantsAddress { tellAddress(at: now) }
        if pause.wantsList { tellList(at: now) }
        (pause.wantsAddress, pause.wantsList) = (false, false)
        endPauseIfOver(at: now)
    }

    private mutating func tell(_ command: some HCI.Command, for step: AirPause.Step, at now: HostInstant) {
        guard case .telling(let unanswered) = pause.state else { return }
        pause.state = .telling(unanswered: unanswered + 1)
        enqueue(command, for: .pause(step), at: now)
    }

    private mutating func tellAddress(at now: HostInstant) {
        guard let own = controller.ownAddress, own.kind == .random else {
            return report(.addressRefused(.unsupportedFeatureOrParameterValue))
        }
        var address = own
        if let privacy = configuration.privacy {
            guard let cryptography = configuration.cryptography else {
                return report(.addressRefused(.unsupportedFeatureOrParameterValue))
            }
            address = SMP.Toolbox(cryptography).resolvableAddress(
                key: privacy.key, random: UInt32(truncatingIfNeeded: cryptography.random()))
        }
        tell(HCI.LESetRandomAddress(address: address), for: .address(address), at: now)
    }

    /// Puts bonded devices on the resolving list; those for whom there is no room are resolved here.
    private mutating func tellList(at now: HostInstant) {
        tell(HCI.LESetAddressResolutionEnable(enable: false), for: .prepare, at: now)
        tell(HCI.LEClearResolvingList(), for: .prepare, at: now)
        pause.resolved = []
        var isEmpty = true
        // The newest are the most likely to come.
        for bond in bonds.suffix(Self.listLimit).reversed() {
            guard let identity = bond.identity, let key = identity.resolvingKey,
                let command = HCI.LEAddDeviceToResolvingList(
                    identity: identity.address, peerKey: key.octets,
                    localKey: [UInt8](repeating: 0, count: 16))
            else { continue }
            isEmpty = false
            tell(command, for: .add(identity.address), at: now)
            tell(
                HCI.LESetPrivacyMode(identity: identity.address, mode: configuration.privacyMode), for: .mode,
                at: now)
        }
        if !isEmpty { tell(HCI.LESetAddressResolutionEnable(enable: true), for: .resolve, at: now) }
    }

    /// How many devices the controller is told of.
    private static let listLimit = 16

    /// Takes the answer to a command of the pause.
    mutating func pauseAnswered(_ step: AirPause.Step, _ status: HCI.Status, at now: HostInstant) {
        guard case .telling(let unanswered) = pause.state else { return }
        switch step {
        case .address(let address):
            if status == .success {
                pause.address = address == controller.ownAddress ? nil : address
                report(.addressChanged(address))
            } else {
                report(.addressRefused(status))
            }
            pause.renewal = configuration.privacy.map { now.advanced(bySeconds: $0.seconds) }
        case .add(let identity): if status == .success { pause.resolved.append(identity) }
        case .resolve: if status != .success { pause.resolved = [] }
        case .prepare, .mode: break
        }
        pause.state = .telling(unanswered: unanswered - 1)
        endPauseIfOver(at: now)
    }

    private mutating func endPauseIfOver(at now: HostInstant) {
        guard case .telling(0) = pause.state else { return }
        pause.state = .idle
        advertiser.release(at: now)
        drainAdvertiser(at: now)
        initiator.release(at: now)
        drainInitiator(at: now)
    }

    // MARK: Whose an address is

    /// Who has an address, as far as a bond says.
    ///
    /// - Parameter address: The address, perhaps a private one.
    /// - Returns: The address that stays; `nil` when no bond's key resolves it.
    public mutating func identity(resolving address: BluetoothAddress) -> BluetoothAddress? {
        guard resolvesPeers, address.isResolvable, let cryptography = configuration.cryptography else {
            return nil
        }
        let known = resolvedAddresses.find(address)
        if known.isKnown { return known.identity }
        let toolbox = SMP.Toolbox(cryptography)
        let identity = bonds.first { bond in
            bond.identity?.resolvingKey.map { toolbox.resolves(address, key: $0) } ?? false
        }?.identity?.address
        resolvedAddresses.keep(address, identity)
        return identity
    }

    /// Where somebody is to be looked for: by the address that stays, and by the private one that was heard last.
    func addressesOnAir(of addresses: [BluetoothAddress]) -> [BluetoothAddress] {
        guard resolvesPeers else { return addresses }
        let room = max(1, controller.filterAcceptListSize)
        var all = addresses
        for address in addresses {
            guard all.count < room, let other = resolvedAddresses.address(of: address), !all.contains(other)
            else { continue }
            all.append(other)
        }
        return all
    }

    /// Whether a controller that looks for these addresses finds everybody who is meant.
    ///
    /// Some controllers take the list and resolve nothing, so one is believed when it has resolved an address.
    func canFilter(_ addresses: [BluetoothAddress]) -> Bool {
        !resolvesPeers
            || addresses.allSatisfy { address in
                pause.hasResolved && pause.resolved.contains(address)
                    || !bonds.contains {
                        $0.identity?.address == address && $0.identity?.resolvingKey != nil
                    }
            }
    }
}

extension SMP.Toolbox {
    /// A private address that whoever has the key knows again.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.2.
    func resolvableAddress(key: SMP.Secret, random: UInt32) -> BluetoothAddress {
        var part = random & 0x3F_FFFF
        // Its random bits are neither all 0 nor all 1.
        if part == 0 || part == 0x3F_FFFF { part ^= 1 }
        let prand = part | 0x40_0000
        let hash = ah(irk: key.value128, prand: prand)
        return BluetoothAddress(UInt64(prand) &<< 24 | UInt64(hash), kind: .random)
    }

    /// Whether a private address was made with a key.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 1.3.2.3.
    func resolves(_ address: BluetoothAddress, key: SMP.Secret) -> Bool {
        let hash = ah(irk: key.value128, prand: UInt32(truncatingIfNeeded: address.value &>> 24))
        return hash == UInt32(truncatingIfNeeded: address.value & 0xFF_FFFF)
    }
}
