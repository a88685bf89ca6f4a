// SPDX-License-Identifier: Apache-2.0

package import BLEWire
package import BluetoothLE
package import Companion

extension ProtectionJSON {
    /// Describes what protects a link.
    ///
    /// - Parameter security: What does.
    package init(_ security: LinkSecurity) {
        let level: Level =
            switch security.level {
            case .none, .encrypted: .encrypted
            case .authenticated: .authenticated
            case .secureConnections: .secureConnections
            }
        self.init(level, keySize: security.keySize.map { Int($0) }, isBonded: security.isBonded)
    }
}

extension LinkSecured {
    /// Makes the event of a link.
    ///
    /// - Parameters:
    ///   - link: The link's number; `nil` where there is only one.
    ///   - peer: The other end of the link.
    ///   - security: What protects it.
    package init(link: LinkID? = nil, _ peer: Peer, _ security: LinkSecurity) {
        self.init(link: link, peer, ProtectionJSON(security))
    }
}

extension PairingAsked {
    /// Makes the event of a question.
    ///
    /// - Parameter question: What is shown or asked.
    package init(_ question: PairingQuestion) {
        switch question.kind {
        case .show(let passkey): self.init(question.peer, .show, digits: passkey.digits)
        case .enter: self.init(question.peer, .enter, digits: nil)
        case .compare(let passkey): self.init(question.peer, .compare, digits: passkey.digits)
        case .consent: self.init(question.peer, .consent, digits: nil)
        }
    }
}
