// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import CommandIO
import Companion

extension CommandError {
    /// Whether an error of the current task only says that the person has ended the command.
    ///
    /// What else goes wrong then is a failure: what had come may be lost.
    package static func isEndedByPerson(_ error: any Error) -> Bool {
        guard Task.isCancelled else { return false }
        return switch error {
        case is CancellationError, is BluetoothError, StoreError.cancelled: true
        case let error as CommandError: error.status == .nothingFound
        default: false
        }
    }
}
