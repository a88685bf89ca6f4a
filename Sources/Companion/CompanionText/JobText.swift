// SPDX-License-Identifier: Apache-2.0

package import BLEGATT
import Companion

/// Why what was done with a device for a page has ended, in sentences.
package enum JobText {
    /// The device was not found.
    package static let notHeard =
        "The device is not heard. Check that it is near, switched on and not connected to something else."
    /// The device is of another kind.
    package static let wrongDevice = "The device lacks what this page needs. Nothing was written to it."
    /// The link was there and is gone.
    package static let linkLost = "The link to the device has ended. Bring it near and try again."
    /// No page has said that it is there.
    package static let pageGone = "Its page was closed or asleep, so Lantern has disconnected from it."
    /// Nothing was asked of the device.
    package static func idle(minutes: Int) -> String {
        "Nobody has used the device for \(minutes) minutes, so Lantern has disconnected from it."
    }

    /// The link could not be opened or used.
    package static func failed(_ reason: DeviceLink.Reason) -> String {
        if case .lost = reason { return "The link to the device was lost. Bring it near and try again." }
        return "It did not work: \(reason.description). Try again."
    }
}
