// SPDX-License-Identifier: Apache-2.0

import Companion
import Synchronization

/// A password on its way from where it was read to where it is needed: whoever takes it is its only holder.
final class Secret: Sendable {
    private let held: Mutex<[UInt8]?>

    /// Takes the octets of a password.
    ///
    /// - Parameter octets: The password.
    init(_ octets: consuming [UInt8]) { held = Mutex(octets) }

    /// Gives the password away.
    ///
    /// - Returns: The password; `nil` when it was consumed or wiped.
    func consume() -> [UInt8]? {
        held.withLock { held in
            defer { held = nil }
            return held
        }
    }

    /// Overwrites the password with zeros and forgets it.
    func wipe() {
        guard var octets = consume() else { return }
        WiFiSecret.wipe(&octets)
    }
}
