// SPDX-License-Identifier: Apache-2.0

extension SMP {
    /// How two devices make sure that nobody stands between them.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.
    public enum Method: Hashable, Sendable {
        /// They do not.
        case justWorks
        /// Both show six digits, and a person compares them.
        case numericComparison
        /// The initiator shows six digits, which are entered at the responder.
        case passkeyShownByInitiator
        /// The responder shows six digits, which are entered at the initiator.
        case passkeyShownByResponder
        /// A person enters the same six digits at both.
        case passkeyEnteredAtBoth
        /// Data that came another way.
        case outOfBand

        /// Whether somebody in the middle is noticed.
        public var isAuthenticated: Bool { self != .justWorks }

        /// Whether six digits are entered.
        var isPasskey: Bool {
            switch self {
            case .passkeyShownByInitiator, .passkeyShownByResponder, .passkeyEnteredAtBoth: true
            case .justWorks, .numericComparison, .outOfBand: false
            }
        }

        /// Which method two devices use.
        ///
        /// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, tables 2.6 to 2.8.
        ///
        /// - Parameters:
        ///   - initiator: The features of the initiator.
        ///   - responder: The features of the responder.
        public init(initiator: PairingFeatures, responder: PairingFeatures) {
            let both = initiator.requirements.intersection(responder.requirements)
            let either = initiator.requirements.union(responder.requirements)
            let isSecureConnections = both.contains(.secureConnections)
            let isOutOfBand =
                isSecureConnections
                ? initiator.hasOutOfBand || responder.hasOutOfBand
                : initiator.hasOutOfBand && responder.hasOutOfBand
            if isOutOfBand {
                self = .outOfBand
            } else if !either.contains(.mitm) {
                self = .justWorks
            } else {
                self.init(initiator.ioCapability, responder.ioCapability, isSecureConnections)
            }
        }

        private init(_ initiator: IOCapability, _ responder: IOCapability, _ isSecureConnections: Bool) {
            switch (initiator, responder) {
            case (.noInputNoOutput, _), (_, .noInputNoOutput): self = .justWorks
            case (_, _) where isSecureConnections && initiator.compares && responder.compares:
                self = .numericComparison
            case (.keyboardOnly, .keyboardOnly): self = .passkeyEnteredAtBoth
            case (_, _) where responder.takesDigits && initiator.showsDigits: self = .passkeyShownByInitiator
            case (_, _) where initiator.takesDigits && responder.showsDigits: self = .passkeyShownByResponder
            default: self = .justWorks
            }
        }
    }
}

extension SMP.IOCapability {
    fileprivate var showsDigits: Bool { self != .keyboardOnly && self != .noInputNoOutput }
    fileprivate var takesDigits: Bool { self == .keyboardOnly || self == .keyboardDisplay }
    fileprivate var compares: Bool { self == .displayYesNo || self == .keyboardDisplay }
}
