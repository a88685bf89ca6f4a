// SPDX-License-Identifier: Apache-2.0

import BLECoreBluetooth
import BLESimulation
import BLEVirtualRadio
import BLEWire
import BluetoothLE
import CompanionHub
import Foundation
import LanternApp
import SwiftUI
import Synchronization
import Testing
import VirtualPhone

/// A phone on a virtual air with devices, and the app on it, from its screens down to the octets.
@MainActor final class AppBench {
    let phone: VirtualPhone
    /// The app as the phone knows it.
    let handle: VirtualPhone.App
    private(set) var app: AppModel
    private let folder: URL
    private let air: VirtualRadio
    private let radio: Radio
    private var work: Task<Void, Never>?
    private var ended: [Task<Void, Never>] = []

    /// Puts devices and a phone on the air, and launches the app.
    convenience init(devices: @Sendable () -> [any SimulatedHost]) async throws {
        let air = try VirtualRadio()
        await air.add(devices)
        try await self.init(on: air, "C0:AA:00:00:00:01")
    }

    /// Launches the app on another phone on the same air.
    func other(_ address: BluetoothAddress) async throws -> AppBench { try await AppBench(on: air, address) }

    private init(on air: VirtualRadio, _ address: BluetoothAddress) async throws {
        self.air = air
        folder = FileManager.default.temporaryDirectory.appending(path: "lantern-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        radio = try await air.radio(address)
        let phone = VirtualPhone(radio: radio)
        let handle = phone.app()
        (self.phone, self.handle) = (phone, handle)
        let app = try handle.launch { [folder] in try Self.app(in: folder) }
        self.app = app
        work = handle.launch { Task { await app.run() } }
    }

    /// Makes the app, within its launch.
    private static func app(in folder: URL) throws -> AppModel {
        let handle = VirtualPhone.App.current
        return try AppModel(
            database: folder.appending(path: "app.sqlite").path, name: "iPhone",
            radio: RadioSource("Bluetooth") {
                // Where the hub asks for it nobody says which app it is.
                let opening = handle?.run { Task { try await Radio.coreBluetooth(restoring: "hub") } }
                guard let opening else { throw BluetoothError.radioUnavailable("there is no phone") }
                return try await opening.value
            })
    }

    /// The system ends the app, and starts it again in the background as soon as there is something for it.
    ///
    /// What was the app's is told nothing any more, and goes with the bench.
    func endBySystem() {
        if let work { ended.append(work) }
        work = nil
        handle.endBySystem { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                do {
                    let app = try Self.app(in: self.folder)
                    self.app = app
                    self.work = Task { await app.run() }
                } catch {
                    Issue.record(error)
                }
            }
        }
    }

    /// Takes a device away, so far that nobody hears it, or brings it back.
    func carry(_ device: BluetoothAddress, away isAway: Bool) async throws {
        try await air.move(device, to: VirtualAir.Position(x: isAway ? 100_000 : 2))
    }

    /// Ends the app and takes its files away.
    func end() async throws {
        for work in [work].compactMap(\.self) + ended {
            work.cancel()
            await work.value
        }
        await radio.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// Waits until something is so.
    func until(line: Int = #line, _ isSo: () async throws -> Bool) async throws {
        for _ in 0..<1500 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Late(line: line)
    }

    /// Waits until so much was noticed.
    func noticed(_ count: Int) async throws {
        try await until { try await app.hub.store.count() >= count }
    }

    /// It was not so within half a minute.
    struct Late: Error { let line: Int }
}

/// What a simulated device has reported, which is what it really has.
final class Reports<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])

    /// Notes something; to be given to a device as its observer.
    func note(_ event: Event, _ now: HostInstant) { events.withLock { $0.append(event) } }

    /// All of it, the oldest first.
    var all: [Event] { events.withLock { $0 } }

    /// What a report says that has come last, of those that say it.
    func last<Value>(_ value: (Event) -> Value?) -> Value? { all.reversed().lazy.compactMap(value).first }
}

/// It is not clear what is meant.
struct Unclear: Error, CustomStringConvertible {
    let description: String
}

extension Screen {
    /// Whether something is spoken that has all these parts.
    func says(_ parts: String...) -> Bool {
        spoken.contains { spoken in parts.allSatisfy { spoken.contains($0) } }
    }

    /// Presses the one thing whose name has a part.
    func press(having part: String) throws {
        let names = Set(
            reachable.flatMap(\.reached).filter { $0.press != nil && $0.spoken.contains(part) }
                .map(\.spoken))
        guard names.count == 1, let name = names.first else {
            throw Unclear(description: "“\(part)” is in the names of \(names.count) things: \(description)")
        }
        try press(name)
    }

    /// Opens the page of a device of the tab Devices, as soon as the device is heard.
    func open(device part: String) async throws {
        try select(tab: "Devices")
        await wait(seconds: 30) { self.canPress(part) }
        try await press(having: part)
    }

    /// Whether something that has this part in its name can be pressed.
    func canPress(_ part: String) -> Bool {
        reachable.flatMap(\.reached).contains {
            ($0.press != nil || $0.kind == .menu) && $0.isEnabled && $0.spoken.contains(part)
        }
    }

    /// Chooses a time of the day, as `21:45`.
    func choose(time: String, in name: String) throws {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        let date = Calendar.current.date(bySettingHour: parts[0], minute: parts[1], second: 0, of: Date())
        try choose(#require(date), in: name)
    }

    /// What VoiceOver says of the value of something.
    func value(of name: String) -> String? {
        reachable.flatMap(\.reached).first { $0.spoken == name && $0.value != nil }?.value
    }

    /// Whether something with this name is switched on.
    func isOn(_ name: String) -> Bool? {
        reachable.flatMap(\.reached).first { $0.spoken == name && $0.isOn != nil }?.isOn
    }
}
