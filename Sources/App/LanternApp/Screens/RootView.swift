// SPDX-License-Identifier: Apache-2.0

public import SwiftUI

/// All screens of the app: the same source on an iPhone, and on Linux, where tests press its buttons.
public struct RootView: View {
    private let app: AppModel
    @State private var tab = Page.scanner
    @State private var isObstacleShown = false

    private enum Page: Hashable { case scanner, map, history, devices, settings }

    /// Shows the app.
    public init(_ app: AppModel) { self.app = app }

    /// The tabs.
    public var body: some View {
        TabView(selection: $tab) {
            Tab("Scanner", systemImage: "dot.radiowaves.left.and.right", value: Page.scanner) {
                ScannerView(app)
            }
            Tab("Map", systemImage: "map", value: Page.map) { MapPage(app) }
            Tab("History", systemImage: "clock.arrow.circlepath", value: Page.history) { HistoryView(app) }
            Tab("Devices", systemImage: "square.grid.2x2", value: Page.devices) { DevicesView(app) }
            Tab("Settings", systemImage: "slider.horizontal.3", value: Page.settings) { SettingsView(app) }
        }
        .onChange(of: app.wantedSource) { _, source in if source != nil { tab = .history } }
        // Once, however the words for it change.
        .onChange(of: app.obstacle?.isForbidden) { _, isForbidden in isObstacleShown = isForbidden != nil }
        .alert(app.obstacle?.title ?? "", isPresented: $isObstacleShown) {
            OpenSettingsButton()
            Button("OK", role: .cancel) {}
        } message: {
            Text(app.obstacle?.text ?? "")
        }
    }
}

/// Opens the app's page in the system's settings.
struct OpenSettingsButton: View {
    @Environment(\.openURL) private var openURL

    var body: some View {
        Button("Open Settings") {
            if let url = URL(string: "app-settings:") { openURL(url) }
        }
    }
}
