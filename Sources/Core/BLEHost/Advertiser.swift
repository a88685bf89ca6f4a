// SPDX-License-Identifier: Apache-2.0

import BLEHCI

/// What is wanted of advertising, and what the controller was told.
struct Advertiser {
    /// The set that is used where there are sets.
    static let set = HCI.AdvertisingHandle(rawValue: 0)

    var parameters: AdvertisingParameters?
    /// Whether the controller was told to advertise.
    var isOn = false
    /// Whether the application knows that what it wanted last is done.
    var isTold = false
    /// Whether the controller has the set.
    var hasSet = false
    /// Commands about parameters and data that the controller has not answered yet.
    var unanswered = 0
    /// Commands to switch it on or off that the controller has not answered yet.
    var unansweredSwitches = 0

    /// Wants nothing any more.
    mutating func forget() {
        parameters = nil
        isOn = false
        isTold = false
    }
}
