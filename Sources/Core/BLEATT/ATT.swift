// SPDX-License-Identifier: Apache-2.0

/// The Attribute Protocol.
///
/// Spec: Core v5.4, Vol 3, Part F.
public enum ATT {
    /// The MTU of an LE bearer before any exchange, in octets.
    ///
    /// Spec: Core v5.4, Vol 3, Part G, 5.2.1.
    public static let defaultMTU = 23

    /// The largest attribute value, in octets.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.2.9.
    public static let maximumValueLength = 512

    /// The longest value that one notification, indication, write or command carries whole.
    ///
    /// Spec: Core v5.4, Vol 3, Part F, 3.2.9, 3.4.5.1 and 3.4.7.1.
    ///
    /// - Parameter mtu: The MTU of the bearer, in octets.
    /// - Returns: Octets; MTU - 3, and 512 at most.
    public static func longestValue(atMTU mtu: Int) -> Int { min(max(mtu - 3, 0), maximumValueLength) }
}
