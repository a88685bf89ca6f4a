// SPDX-License-Identifier: Apache-2.0

package import BLEATT
package import BluetoothLE
import Synchronization

/// A read or write of a device that waits for the answer of an app.
///
/// It is answered once: by the app, or by the phone when the app has ended, has taken the service away or is not asked at all.
package final class PhoneRequest: Sendable {
    /// Who asks.
    package let client: Server.Client
    private let give: Mutex<(@Sendable (Result<[UInt8], ATT.ErrorCode>) -> Void)?>

    init(_ client: Server.Client, _ give: @escaping @Sendable (Result<[UInt8], ATT.ErrorCode>) -> Void) {
        self.client = client
        self.give = Mutex(give)
    }

    /// Answers it.
    ///
    /// - Parameter result: The value from the asked offset on for a read, anything for a write, or why not.
    /// - Returns: Whether it was not answered before.
    @discardableResult
    package func answer(_ result: Result<[UInt8], ATT.ErrorCode>) -> Bool {
        let give = give.withLock { give in
            defer { give = nil }
            return give
        }
        give?(result)
        return give != nil
    }
}
