// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import LanternApp
import SwiftUI

/// The app; all that it does is in the package's LanternApp, where it is tested without a phone.
@main struct LanternMain: App {
    @State private var launch = Launch {
        try await Radio.coreBluetooth(restoring: "org.example.lantern.central")
    }

    var body: some Scene {
        WindowGroup { LaunchView(launch) }
    }
}
