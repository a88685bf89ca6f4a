// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What other modules keep of a phone or of one of its apps: one part of a type.
package final class PhoneParts: Sendable {
    private let parts = Mutex<[ObjectIdentifier: any Sendable]>([:])

    /// The part of a type, which is made when it is first asked for.
    ///
    /// - Parameter make: Makes it; it must not ask for a part itself.
    /// - Returns: The part.
    package func part<Part: Sendable>(_ make: () -> Part) -> Part {
        parts.withLock { parts in
            if let part = parts[ObjectIdentifier(Part.self)] as? Part { return part }
            let part = make()
            parts[ObjectIdentifier(Part.self)] = part
            return part
        }
    }
}
