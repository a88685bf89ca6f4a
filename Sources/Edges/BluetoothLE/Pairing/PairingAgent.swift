// SPDX-License-Identifier: Apache-2.0

/// What a person sees or is asked while a device pairs.
public struct PairingQuestion: Hashable, Sendable {
    /// What is shown or asked.
    public enum Kind: Hashable, Sendable {
        /// Show these six digits until pairing is over; whatever is answered counts for nothing.
        case show(SMP.Passkey)
        /// Which six digits does the device show, or shall both have? Answered by `SMP.Answer.passkey(_:)`.
        case enter
        /// Does the device show the same six digits?
        case compare(SMP.Passkey)
        /// May the device pair? It has asked for it, and may take the place of one that is known.
        case consent(replacesBond: Bool)
    }

    /// The device.
    public let peer: Peer
    /// What is shown or asked.
    public let kind: Kind
    /// Whether it is asked because the device has refused a request of this program, and would not if it were paired.
    public let isAboutRequest: Bool

    /// Makes a question.
    public init(_ peer: Peer, _ kind: Kind, isAboutRequest: Bool = false) {
        self.peer = peer
        self.kind = kind
        self.isAboutRequest = isAboutRequest
    }
}

/// How this side pairs, and who answers for it.
public struct PairingAgent: Sendable {
    /// What this side can do and wants.
    public var configuration: SMP.Configuration
    /// What a link must be at least before values of a server that is started from now on may be used.
    ///
    /// It says nothing of a server that offers a whole database, as of a device that was saved.
    public var serverProtection = SecurityLevel.none
    /// Shows and asks; its task is cancelled when what it shows or asks is over.
    ///
    /// It runs where the radio runs and must not block. Without an answer pairing ends after 30 s. Where the configuration asks
    /// for consent, it is asked, too, before this side begins to pair because the device wants it or has refused a request; that
    /// question has no end of its own.
    public let answer: @Sendable (PairingQuestion) async -> SMP.Answer
    /// Told what a pairing has come to, where this agent answers; BlueZ does not tell that one which a device has begun came to nothing.
    public var ended: (@Sendable (Peer, Result<LinkSecurity, BluetoothError>) -> Void)?

    /// Makes an agent.
    ///
    /// - Parameters:
    ///   - configuration: What this side can do and wants.
    ///   - answer: Shows and asks.
    public init(
        _ configuration: SMP.Configuration = SMP.Configuration(),
        answer: @escaping @Sendable (PairingQuestion) async -> SMP.Answer
    ) {
        self.configuration = configuration
        self.answer = answer
    }
}

/// A device that this radio keeps keys of.
public struct BondedPeer: Hashable, Sendable {
    /// The device, by the address that stays.
    public let peer: Peer
    /// How well its keys protect.
    public let security: LinkSecurity
    /// Whether it may hide behind changing addresses, which its key resolves; `nil` when the platform does not tell.
    public let hasChangingAddress: Bool?
    /// The address by which it knows this radio; `nil` when the platform does not tell.
    public let adapter: BluetoothAddress?

    /// Describes a bond.
    public init(
        _ peer: Peer, _ security: LinkSecurity, hasChangingAddress: Bool?, adapter: BluetoothAddress?
    ) {
        self.peer = peer
        self.security = security
        self.hasChangingAddress = hasChangingAddress
        self.adapter = adapter
    }
}

extension Connection {
    /// What protects the link; `nil` when it is not encrypted, gone, or the platform does not tell.
    public var security: LinkSecurity? { get async { await backend.security } }

    /// Pairs with the device; as a peripheral, asks the central to.
    ///
    /// What is paired already is paired anew, except over BlueZ, which says what it knows. A bond is kept before this returns. When the task is cancelled, pairing
    /// is given up.
    ///
    /// - Parameter agent: How this side pairs, and who answers for it.
    /// - Returns: What protects the link now.
    /// - Throws: ``BluetoothError/pairing(_:)``, ``BluetoothError/unsupported(_:)``, ``BluetoothError/bonds(_:)`` when the
    ///   link is protected but the keys could not be kept.
    @discardableResult
    public func pair(_ agent: PairingAgent = .justWorks) async throws(BluetoothError) -> LinkSecurity {
        try await backend.pair(agent)
    }

    /// Encrypts the link with the keys of a bond; as a peripheral, asks the central to.
    ///
    /// A link that is opened to a bonded device is encrypted already, if the device still has its keys.
    ///
    /// - Returns: What protects the link now.
    /// - Throws: ``BluetoothError/pairing(_:)``: `notBonded` when no keys are kept, `keyMissing` when the device has
    ///   forgotten its own.
    @discardableResult
    public func encrypt() async throws(BluetoothError) -> LinkSecurity { try await backend.encrypt() }
}

extension Radio {
    /// Lets devices pair, from now on.
    ///
    /// It answers for this side when a central pairs, when a peripheral asks for security, and when an attribute is
    /// refused until the link is protected: then the link is paired, and the request made once more. Without an agent
    /// all that is refused; links to bonded devices are encrypted all the same.
    ///
    /// - Parameter agent: How this side pairs, and who answers for it; `nil` for nobody.
    /// - Throws: ``BluetoothError/unsupported(_:)``.
    public func pairWhenAsked(_ agent: PairingAgent?) async throws(BluetoothError) {
        try await backend.pairWhenAsked(agent)
    }

    /// Hides behind addresses that change every quarter of an hour, or no more.
    ///
    /// Who has bonded with this side while it hides knows it again; to all others each address is another device. Advertising
    /// and scanning rest for a moment at each change; links stay as they are.
    ///
    /// - Parameter isOn: Whether to hide.
    /// - Throws: ``BluetoothError/unsupported(_:)``, ``BluetoothError/bonds(_:)`` when the key that bonded devices get cannot be
    ///   kept, ``BluetoothError/refusedByRadio(_:)``.
    public func usePrivacy(_ isOn: Bool) async throws(BluetoothError) { try await backend.usePrivacy(isOn) }

    /// The devices that keys are kept of.
    ///
    /// - Returns: The devices, the one bonded last at the end.
    /// - Throws: ``BluetoothError/unsupported(_:)``.
    public func bonds() async throws(BluetoothError) -> [BondedPeer] { try await backend.bonds() }

    /// Forgets the keys of a device; a link to it that is open stays as it is, except over BlueZ, which ends it.
    ///
    /// - Parameter peer: The device, by the address that stays.
    /// - Returns: Whether there were any.
    /// - Throws: ``BluetoothError/unsupported(_:)``, ``BluetoothError/bonds(_:)`` when they are still kept for the next time.
    public func removeBond(of peer: Peer) async throws(BluetoothError) -> Bool {
        try await backend.removeBond(of: peer)
    }
}
