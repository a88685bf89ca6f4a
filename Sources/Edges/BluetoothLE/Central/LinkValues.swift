// SPDX-License-Identifier: Apache-2.0

/// How bits are modulated on the air.
///
/// Spec: Core v5.4, Vol 6, Part A, 1.
public enum PHY: Hashable, Sendable, CaseIterable {
    /// One million symbols a second: what every device has.
    case le1M
    /// Two million symbols a second: faster, not quite as far.
    case le2M
    /// One million symbols a second with error correction: slower and farther.
    case leCoded
}

/// How a link is modulated, each way.
public struct LinkPHY: Hashable, Sendable {
    /// How this side sends.
    public var tx: PHY
    /// How the peer sends.
    public var rx: PHY

    /// Makes a pair.
    public init(tx: PHY, rx: PHY) {
        self.tx = tx
        self.rx = rx
    }
}

/// Which controller a peer has.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.7.12.
public struct PeerVersion: Hashable, Sendable {
    /// The version of its link layer, as in the assigned numbers; 0x0D is 5.4.
    public var version: UInt8
    /// The maker of the controller, as in the assigned numbers.
    public var company: UInt16
    /// The maker's own revision.
    public var subversion: UInt16

    /// Makes a version.
    public init(version: UInt8, company: UInt16, subversion: UInt16) {
        self.version = version
        self.company = company
        self.subversion = subversion
    }
}

/// Something about a link that has changed, whoever wanted it.
public enum LinkChange: Hashable, Sendable {
    /// The MTU was agreed, in octets.
    case mtu(Int)
    /// The timing is another.
    case parameters(ConnectionParameters)
    /// The modulation is another.
    case phy(LinkPHY)
    /// The octets of payload in one link-layer packet, each way.
    case dataLength(tx: Int, rx: Int)
    /// The link is encrypted now, or protected better than before.
    case secured(LinkSecurity)
    /// Pairing, or encryption with kept keys, came to nothing.
    case pairingFailed(SMP.Failure)
    /// What is to be kept of the peer could not be: a sentence.
    case bondNotKept(String)
    /// The peer wants the link to be secured, which was refused.
    case securityRefused
    /// The peer's server has sent a PDU that makes no sense or that nobody has asked for: its first octets.
    case malformedPDU([UInt8])
    /// The peer has not answered when it was asked for its MTU, so that this is a second link, on which it was not.
    case mtuUnanswered
}
