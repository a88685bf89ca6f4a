// SPDX-License-Identifier: Apache-2.0

import BluetoothLE

/// What becomes of a device's advertising, whatever device it is.
enum AirNews {
    /// Shows what becomes of the advertising of a device that is run.
    static func printer(to output: Output, isJSON: Bool) -> @Sendable (ServerEvent) async -> Void {
        { change in EventPrinter(to: output, isJSON: isJSON).showAdvertising(change) }
    }
}
