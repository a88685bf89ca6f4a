// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import Companion
public import LEDBulb

extension LEDBulbClient: ConnectableSession {
    /// The change of the link's state that an event reports.
    public static func report(in event: LEDBulbEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }
}
