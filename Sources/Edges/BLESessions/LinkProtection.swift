// SPDX-License-Identifier: Apache-2.0

public import BluetoothLE

/// Has a client session's link encrypted before anything is asked or sent on it.
///
/// A device that is bonded is encrypted with its keys, another is paired with. One of which neither can be had gets
/// nothing, and the run ends with the reason; unless somebody has said that it may go on, who is then told.
public struct LinkProtection: Sendable {
    /// How this side pairs, and who answers for it.
    public let agent: PairingAgent
    /// Called when a link is encrypted.
    public let secured: @Sendable (Peer, LinkSecurity) async -> Void
    /// Called when a link could not be encrypted and is used all the same; `nil` uses none.
    public let fallback: (@Sendable (Peer, BluetoothError) async -> Void)?

    /// Makes it.
    ///
    /// - Parameters:
    ///   - agent: How this side pairs, and who answers for it.
    ///   - secured: Called when a link is encrypted.
    ///   - fallback: Called when a link could not be encrypted and is used all the same; `nil` uses none.
    public init(
        _ agent: PairingAgent,
        secured: @escaping @Sendable (Peer, LinkSecurity) async -> Void = { _, _ in },
        fallback: (@Sendable (Peer, BluetoothError) async -> Void)? = nil
    ) {
        self.agent = agent
        self.secured = secured
        self.fallback = fallback
    }

    /// Encrypts a link that has just been opened.
    ///
    /// - Parameters:
    ///   - connection: The link.
    ///   - peer: The device.
    /// - Throws: Why the link is not to be used.
    func protect(_ connection: Connection, of peer: Peer) async throws(BluetoothError) {
        do throws(BluetoothError) {
            await secured(peer, try await security(of: connection))
        } catch {
            guard let fallback, error != .cancelled, connection.disconnectReason == nil else { throw error }
            await fallback(peer, error)
        }
    }

    private func security(of connection: Connection) async throws(BluetoothError) -> LinkSecurity {
        if let security = await connection.security { return security }
        do throws(BluetoothError) {
            return try await connection.encrypt()
        } catch {
            // Whoever has forgotten our keys may be somebody else: a person has to remove them first.
            guard error == .pairing(.notBonded) else { throw error }
        }
        return try await connection.pair(agent)
    }
}
