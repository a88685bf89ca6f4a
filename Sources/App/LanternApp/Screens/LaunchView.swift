// SPDX-License-Identifier: Apache-2.0

public import SwiftUI

/// The app, or why it cannot start.
public struct LaunchView: View {
    private let launch: Launch

    /// Shows the app.
    ///
    /// - Parameter launch: What has started it.
    public init(_ launch: Launch) { self.launch = launch }

    /// All screens, or the reason.
    public var body: some View {
        switch launch.state {
        case .running(let app): RootView(app)
        case .failed(let reason):
            ContentUnavailableView {
                Label("Lantern cannot open its database", systemImage: "externaldrive.badge.exclamationmark")
            } description: {
                Text(reason)
            } actions: {
                Button("Try again") { launch.tryAgain() }
            }
        }
    }
}
