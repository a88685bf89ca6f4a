// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import CompanionHub
import FlockFinderSimulated
import LEDBulbSimulated
import LanternApp
import NightlightSimulated
import Testing
import VirtualPhone

/// What screens show and ask for, through the hub, Core Bluetooth's API, our host and the air.
@Suite("The models of the app", .timeLimit(.minutes(5)), .serialized) @MainActor struct ModelTests {
    @Test func whatAFlockFinderNoticesIsShownMarkedDeletedAndTakenBack() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let scanner = ScannerModel(bench.app), history = HistoryModel(bench.app)
        let following = [Task { await scanner.run() }, Task { await history.run() }]
        try await bench.until { !scanner.finders.isEmpty }
        await scanner.connect(scanner.finders[0])
        try await bench.until { scanner.isConnected && scanner.detections.count >= 3 }
        #expect(scanner.total >= 3 && scanner.trouble == nil)
        await scanner.send("PING", to: scanner.finders[0])
        #expect(scanner.answer != nil, "\(scanner.trouble ?? "")")
        await scanner.disconnect(scanner.finders[0])
        try await bench.until { !scanner.isConnected }
        try await bench.until { history.counts.all > 0 && history.counts.matching == history.counts.all }
        let source = try #require(history.sources?.first?.source)
        await history.mark(source, as: .muted)
        #expect(history.sources?.first { $0.source.id == source.id }?.source.mark == .muted)
        history.marks = .muted
        await history.search()
        #expect(history.sources?.map(\.source.id) == [source.id] && history.isFiltered)
        history.marks = .all
        history.text = "no such name"
        await history.search()
        #expect(history.sources == [])
        history.text = ""
        await history.search()
        let before = history.counts.all
        await history.delete(source)
        #expect(history.counts.all == before - 1)
        guard case .deletion? = history.undo else { throw AppBench.Late(line: #line) }
        await history.takeBack()
        #expect(history.counts.all == before && history.undo == nil && history.trouble == nil)
        for task in following { task.cancel() }
        try await bench.end()
    }

    @Test func bluetoothThatIsOffIsToldAndComesBack() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        try await bench.until { bench.app.state?.radio.condition == .scanning }
        #expect(bench.app.obstacle == nil)
        bench.phone.isBluetoothOn = false
        try await bench.until { bench.app.obstacle != nil }
        #expect(bench.app.obstacle?.text.isEmpty == false)
        bench.phone.isBluetoothOn = true
        await bench.app.hub.retryRadio()
        try await bench.until { bench.app.obstacle == nil }
        try await bench.end()
    }

    @Test func aLampIsChangedAndTriesAColourOut() async throws {
        let bench = try await AppBench { [SimulatedNightlight.make()] }
        try await bench.until { !bench.app.devices(of: .nightlight).isEmpty }
        let model = LampModel(bench.app, lamp: bench.app.devices(of: .nightlight)[0].id)
        let holding = Task { await model.lamp.run() }
        try await bench.until { model.lamp.isOpen && model.values != nil }
        let color = RGBColor(red: 3, green: 2, blue: 1)
        await model.change(LampChange(button: .init(color: color)))
        try await bench.until { model.values?.buttonColor == color }
        #expect(model.lamp.trouble == nil)
        await model.tryOut(RGBColor(red: 200, green: 0, blue: 0))
        try await bench.until { model.dashboard?.proofEnd != nil }
        await model.endTrial()
        try await bench.until { model.dashboard?.proofEnd == nil }
        holding.cancel()
        await holding.value
        try await bench.end()
    }

    @Test func aBulbTakesAColour() async throws {
        let bench = try await AppBench { [SimulatedBulb.make()] }
        try await bench.until { !bench.app.devices(of: .bulb).isEmpty }
        let model = BulbModel(bench.app, bulb: bench.app.devices(of: .bulb)[0].id)
        let holding = Task { await model.bulb.run() }
        try await bench.until { model.bulb.isOpen && model.state?.dialect != nil }
        let color = RGBColor(red: 1, green: 2, blue: 3)
        await model.perform(.color(color))
        try await bench.until { model.state?.asked?.shown == color }
        #expect(model.bulb.trouble == nil)
        holding.cancel()
        await holding.value
        try await bench.end()
    }

    @Test func settingsTakeEffectAtOnceAndAreRefusedWithAReason() async throws {
        let bench = try await AppBench { [] }
        try await bench.until { bench.app.state != nil }
        let model = SettingsModel(bench.app)
        model.settings.retentionDays = 30
        #expect(model.settings.retentionDays == 30)
        await model.settle()
        #expect(await bench.app.hub.settings.retentionDays == 30 && model.trouble == nil)
        model.settings.retentionDays = -1
        await model.settle()
        #expect(model.settings.retentionDays == 30 && model.trouble?.isEmpty == false)
        try await bench.end()
    }

    @Test func aFileGoesOutAndComesIntoAnotherPhoneOnce() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        let scanner = ScannerModel(bench.app), files = FilesModel(bench.app)
        let following = Task { await scanner.run() }
        try await bench.until { !scanner.finders.isEmpty }
        await scanner.connect(scanner.finders[0])
        try await bench.until { scanner.total >= 2 }
        await scanner.disconnect(scanner.finders[0])
        await files.export(as: .json)
        let file = try #require(files.exported?.file, "\(files.trouble ?? "")")
        let other = try await AppBench { [] }
        let incoming = FilesModel(other.app)
        await incoming.bringIn(file)
        let counts = try #require(incoming.importing?.counts)
        #expect(counts.imported >= 2 && counts.refused == 0 && incoming.importing?.isOver == true)
        await incoming.bringIn(file)
        #expect(incoming.importing?.counts.imported == 0)
        #expect(incoming.importing?.counts.known == counts.imported)
        following.cancel()
        try await bench.end()
        try await other.end()
    }
}
