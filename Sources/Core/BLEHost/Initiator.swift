// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// Links that are being opened: one at a time, the others wait.
struct Initiator {
    struct Attempt {
        /// To whom; the first who is heard, if there are several.
        let addresses: [BluetoothAddress]
        let parameters: ConnectParameters

        /// The address that tells what becomes of it.
        var name: BluetoothAddress { addresses.first ?? BluetoothAddress(0, .anonymous) }
    }

    enum State {
        case idle
        case initiating(Attempt, deadline: HostInstant)
        /// The controller was told to give up; it reports that, or the link after all, before the deadline.
        case cancelling(Attempt, because: LinkFailure, deadline: HostInstant)
    }

    var state = State.idle
    var waiting: [Attempt] = []

    var isBusy: Bool {
        if case .idle = state { return false }
        return true
    }

    var deadline: HostInstant? {
        switch state {
        case .idle: nil
        case .initiating(_, let deadline), .cancelling(_, _, let deadline): deadline
        }
    }

    /// What the controller was told to do.
    var current: Attempt? {
        switch state {
        case .idle: nil
        case .initiating(let attempt, _), .cancelling(let attempt, _, _): attempt
        }
    }

    /// Whether the controller was told to connect to this one.
    func isOpening(_ address: BluetoothAddress) -> Bool { current?.addresses.contains(address) ?? false }

    /// Forgets everything.
    ///
    /// - Returns: What was to be opened, by name.
    mutating func removeAll() -> [BluetoothAddress] {
        var attempts = waiting
        if let current { attempts.insert(current, at: 0) }
        self = Initiator()
        return attempts.map { $0.name }
    }
}
