// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLESimulation
import BLEVirtualRadio
import BluetoothLE
import CompanionHub
import Foundation
import LanternApp
import VirtualPhone

/// A phone on a virtual air with devices, and the app on it, from its screens down to the octets.
@MainActor final class AppBench {
    let phone: VirtualPhone
    /// The app as the phone knows it.
    let handle: VirtualPhone.App
    let app: AppModel
    private let folder: URL
    private let radio: Radio
    private var work: Task<Void, Never>?

    /// Puts devices and a phone on the air, and launches the app.
    init(devices: @Sendable () -> [any SimulatedHost]) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "lantern-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let air = try VirtualRadio()
        await air.add(devices)
        radio = try await air.radio("C0:AA:00:00:00:01")
        let phone = VirtualPhone(radio: radio)
        let handle = phone.app()
        (self.phone, self.handle) = (phone, handle)
        let app = try handle.launch {
            try AppModel(
                database: folder.appending(path: "app.sqlite").path, name: "iPhone",
                radio: RadioSource("Bluetooth") {
                    try await handle.launch { Task { try await Radio.coreBluetooth() } }.value
                })
        }
        self.app = app
        work = handle.launch { Task { await app.run() } }
    }

    /// Ends the app and takes its files away.
    func end() async throws {
        work?.cancel()
        await work?.value
        await radio.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// Waits until something is so.
    func until(_ isSo: () async throws -> Bool) async throws {
        for _ in 0..<1500 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Late()
    }

    /// Waits until so much was noticed.
    func noticed(_ count: Int) async throws {
        try await until { try await app.hub.store.count() >= count }
    }

    /// It was not so within half a minute.
    struct Late: Error {}
}
