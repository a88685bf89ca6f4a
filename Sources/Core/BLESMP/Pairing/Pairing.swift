// SPDX-License-Identifier: Apache-2.0

public import BLEWire

extension SMP {
    /// Pairing on one link, from its beginning to its end, in either role.
    ///
    /// ```
    ///          start, Pairing Request               encrypted           all keys
    ///   idle ────────────────────────▶ pairing: … ───────────▶ … keys ──────────▶ idle
    ///    │ ▲                             │   │ 30 s
    ///    │ └──── failed, Pairing Failed ─┘   ▼
    ///    └─▶ asked (Security Request), encrypting (with kept keys)     closed
    /// ```
    ///
    /// The phases of pairing, of which each holds what is known by then:
    ///
    /// | phase | waits for |
    /// |---|---|
    /// | consent | a person, before the request is answered |
    /// | features | Pairing Response |
    /// | passkeyForConfirm, passkeyForRounds | a person with six digits; legacy and Secure Connections |
    /// | legacyConfirm, legacyRandom | Pairing Confirm, Pairing Random |
    /// | publicKey | Pairing Public Key |
    /// | confirm, random | Pairing Confirm, Pairing Random; 20 times with a passkey |
    /// | comparing | a person with the other device in sight |
    /// | check | Pairing DHKey Check |
    /// | encryption | the controller, and in the responder's role the request for the key |
    /// | distribution | the keys of the other side, in their order |
    ///
    /// What comes in a phase that does not wait for it ends pairing with a code; codes that are not known, and what comes
    /// when nothing is going on, are counted in ``ignored``. What fails is told once, and counts for ``attempts``.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2 and 3.
    public struct Pairing: ~Copyable {
        /// What to do next.
        public enum Output: Sendable {
            /// Send a PDU on the channel of the Security Manager.
            case send([UInt8])
            /// Show six digits until pairing ends or has come to the keys; nothing is to be answered.
            case show(Passkey)
            /// Ask a person, and give the answer to ``SMP/Pairing/answer(_:at:)``.
            case ask(Question)
            /// Have the controller encrypt the link (central), and tell ``SMP/Pairing/encryptionChanged(_:at:)``.
            case startEncryption(LongTermKey)
            /// Give the controller the key that it has asked for (peripheral).
            case giveKey(Secret)
            /// Tell the controller that there is no such key (peripheral).
            case refuseKey
            /// The peripheral asks for security: start, encrypt or reject.
            case securityRequested(AuthenticationRequirements)
            /// The link is encrypted.
            case secured(Security)
            /// Keep this, in place of what was kept of the same identity.
            case bond(Bond)
            /// Pairing has succeeded.
            case paired(Security)
            /// Pairing, or encryption with kept keys, came to nothing; what was asked or shown is over.
            case failed(Failure)
            /// The link is no longer what it was said to be: end it.
            case closeLink
        }

        enum State {
            case idle
            /// The peripheral wants security, and the application has not decided.
            case securityRequested
            /// We want security, and the central has not begun.
            case asked(until: HostInstant)
            /// The link is being encrypted with kept keys.
            case encrypting(Security)
            case pairing(Phase, until: HostInstant)
            /// After a timeout.
            case closed
            /// The link is gone.
            case ended
        }

        let cryptography: any PairingCryptography
        let toolbox: Toolbox
        var parties: Parties
        var configuration: Configuration
        var state = State.idle
        /// The keys of this link that can encrypt it: kept ones, or the last that were made.
        var keys: Bond?
        var outputs = FIFO<Output>()
        /// The moment of the input that is being handled.
        var now = HostInstant.zero
        /// When the other side's 30 s began: with what was sent last, or with its request.
        var timerStart = HostInstant.zero

        /// What protects the link now; `nil` while nothing does.
        public internal(set) var security: Security?
        /// Who may try again when.
        public internal(set) var attempts: AttemptLimit
        /// What came and was passed over: it made no sense, or is not known.
        public internal(set) var ignored = 0

        /// Starts on a link that has just come about.
        ///
        /// - Parameters:
        ///   - parties: Both ends of the link, and what is known of them.
        ///   - configuration: What we can do and want.
        ///   - attempts: What an ``AttemptLedger`` has of the other side.
        ///   - cryptography: What keys are made with.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public init(
            _ parties: Parties, configuration: Configuration, attempts: AttemptLimit = AttemptLimit(),
            cryptography: any PairingCryptography
        ) {
            self.parties = parties
            self.configuration = configuration
            self.attempts = attempts
            self.cryptography = cryptography
            toolbox = Toolbox(cryptography)
            keys = parties.bond
        }

        /// What to do next; to be called until it is `nil` after each input.
        ///
        /// - Returns: One thing to do.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func nextOutput() -> Output? { outputs.popFirst() }

        /// When ``deadlineReached(at:)`` has to be called; `nil` when nothing is waited for.
        public var nextDeadline: HostInstant? {
            switch state {
            case .asked(let until), .pairing(_, let until): until
            case .idle, .securityRequested, .encrypting, .closed, .ended: nil
            }
        }

        /// Whether pairing is going on.
        public var isPairing: Bool {
            if case .pairing = state { return true }
            return false
        }

        /// Whether there are keys to encrypt the link with: kept ones, or the last that were made.
        public var hasKeys: Bool { keys != nil }

        /// Changes what we can do and want, for pairing that begins from now on.
        ///
        /// - Parameter configuration: What we can do and want.
        /// - Returns: Whether it was taken; not while pairing is going on.
        public mutating func configure(_ configuration: Configuration) -> Bool {
            guard !isPairing else { return false }
            self.configuration = configuration
            return true
        }

        /// Takes up other keys of the other side, which were made or forgotten elsewhere.
        ///
        /// - Parameters:
        ///   - bond: What is kept of it now.
        ///   - otherIdentities: The identity addresses of all other bonds.
        /// - Returns: Whether they are taken; not while anything is going on, or the link is encrypted.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func use(_ bond: Bond?, otherIdentities: [BluetoothAddress]) -> Bool {
            guard case .idle = state, security == nil else { return false }
            parties = Parties(
                role: parties.role, own: parties.own, peer: parties.peer, bond: bond,
                otherIdentities: otherIdentities)
            keys = bond
            return true
        }

        /// Begins pairing; a peripheral asks its central to.
        ///
        /// - Parameter now: When.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func start(at now: HostInstant) { step(.start, at: now) }

        /// Encrypts the link with kept keys; a peripheral asks its central to.
        ///
        /// - Parameter now: When.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func encrypt(at now: HostInstant) { step(.encrypt, at: now) }

        /// Takes a PDU of the channel of the Security Manager.
        ///
        /// - Parameters:
        ///   - octets: The PDU, code included.
        ///   - now: When it came.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func receive(_ octets: RawSpan, at now: HostInstant) {
            do throws(DecodeError) {
                step(.received(try PDU(decoding: octets)), at: now)
            } catch {
                step(.malformed(code(of: octets)), at: now)
            }
        }

        private func code(of octets: RawSpan) -> Code? {
            var reader = ByteReader(octets)
            // Nothing at all has no code, which is the answer.
            return (try? reader.readUInt8()).map(Code.init(rawValue:))
        }

        /// Takes the answer of a person.
        ///
        /// - Parameters:
        ///   - answer: The answer; one that nobody has asked for is ignored, but ``Answer/reject`` always gives up.
        ///   - now: When it came.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func answer(_ answer: Answer, at now: HostInstant) { step(.answer(answer), at: now) }

        /// Handles that the controller asks for a key (peripheral).
        ///
        /// - Parameters:
        ///   - rand: The random number that names the key.
        ///   - ediv: The diversifier that names it.
        ///   - now: When.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func keyRequested(rand: UInt64, ediv: UInt16, at now: HostInstant) {
            step(.keyRequested(rand: rand, ediv: ediv), at: now)
        }

        /// Handles that encryption is on, off, or could not be had.
        ///
        /// - Parameters:
        ///   - change: What has happened.
        ///   - now: When.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func encryptionChanged(_ change: EncryptionChange, at now: HostInstant) {
            step(.encryption(change), at: now)
        }

        /// Handles that the link is gone.
        ///
        /// - Parameter now: When.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func disconnected(at now: HostInstant) { step(.disconnected, at: now) }

        /// Handles that time has passed.
        ///
        /// - Parameter now: The moment.
        #if hasFeature(Embedded) && hasAttribute(export)
        @export(interface) @inline(never)
        #endif
        public mutating func deadlineReached(at now: HostInstant) {
            guard let nextDeadline, nextDeadline <= now else { return }
            step(.deadline, at: now)
        }
    }
}
