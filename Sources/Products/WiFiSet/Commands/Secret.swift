// SPDX-License-Identifier: Apache-2.0

import Synchronization
import WiFiSet

/// A password that several hold and that is overwritten for all of them.
final class Secret: Sendable {
    private let held: Mutex<[UInt8]>

    /// Takes the octets of a password.
    ///
    /// - Parameter octets: The password.
    init(_ octets: [UInt8]) { held = Mutex(octets) }

    /// The password; nothing once it was wiped.
    var octets: [UInt8] { held.withLock { $0 } }

    /// Overwrites the password with zeros and forgets it.
    func wipe() { held.withLock { WiFiCredentials.wipe(&$0) } }
}
