// SPDX-License-Identifier: Apache-2.0

/// The Security Manager Protocol: pairing, and the keys that come of it.
///
/// LE only; nothing is derived for BR/EDR, and nothing is signed.
///
/// Spec: Core v5.4, Vol 3, Part H.
public enum SMP {
    /// How long either side may take for its next step, in seconds.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.4.
    public static let timeoutSeconds: UInt64 = 30

    /// What an encryption key may have, in octets.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 2.3.4.
    public static let keySizes: ClosedRange<UInt8> = 7...16

    /// The longest PDU, in octets: what a device needs as its MTU on this channel.
    ///
    /// Spec: Core v5.4, Vol 3, Part H, 3.2.
    public static let maximumLength = 65
}
