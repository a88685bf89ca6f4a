// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import FlockFinderSimulated
import Foundation
import LanternApp
import PhoneSurroundings
import SwiftUI
import Testing
import VirtualPhone

extension AppBench {
    /// Drives 600 m through Berlin with the phone, and records it.
    ///
    /// - Returns: The drive, which is at its end.
    func drive() async throws -> Drive {
        handle.locationPermission = .whileUsing
        let corners: [Surroundings.Place] = [.init(52.52, 13.405), .init(52.5254, 13.405)]
        phone.surroundings.place = corners[0]
        _ = try await app.hub.changeSettings { $0.location.source = .browser }
        try await until { app.state?.location.position != nil }
        await phone.surroundings.follow(.init(through: corners, at: 100, every: .milliseconds(100))).value
        try await until { try await app.hub.store.drives().first.map { $0.metres > 300 } ?? false }
        _ = try await app.hub.changeSettings { $0.location.source = .none }
        try await until { app.place.condition == .off }
        return try #require(try await app.hub.store.drives().first)
    }
}

/// Files go out by the share sheet and Files, and come into another phone once.
@Suite("The files of the app", .timeLimit(.minutes(5)), .serialized) @MainActor struct FilesScreenTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lantern-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A phone that has noticed some cameras and hears no more of them.
    private func filled() async throws -> AppBench {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        try await bench.noticed(6)
        let finder = try #require(bench.app.devices(of: .flockFinder).first)
        await ScannerModel(bench.app).disconnect(finder)
        try await bench.until { bench.app.devices(of: .flockFinder).allSatisfy { $0.link == .none } }
        return bench
    }

    private func detections(_ data: Data) throws -> [[String: Any]] {
        let whole = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(whole["detections"] as? [[String: Any]])
    }

    @Test func whatTheListShowsGoesOutInEachFormAndComesIntoAnotherPhoneOnce() async throws {
        let bench = try await filled()
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "History")
        #expect(await screen.wait(seconds: 30) { screen.says("times, last") })
        try await screen.press("Export")
        #expect(await screen.wait(seconds: 30) { screen.canPress("Share") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        let count = try await bench.app.hub.store.count()
        #expect(screen.says("Detections", "\(count)"))
        // In each form the file that is shared is the one that is saved, and says itself what it is.
        let forms = [
            ("CSV, for a spreadsheet", ".csv", "id,"), ("GeoJSON, for a map", ".geojson", #"{"type""#),
            ("GPX, for navigation", ".gpx", "<?xml"), ("KML, for Google Earth", ".kml", "<?xml"),
            ("WiGLE, for wigle.net", ".wigle.csv", "WigleWifi"), ("JSON, everything", ".json", "{"),
        ]
        let folder = try folder()
        var saved: URL?
        for (form, ending, begin) in forms {
            try await screen.choose(form, in: "Form")
            let shares = screen.shared.count
            #expect(await screen.wait(seconds: 30) { screen.canPress("Share") }, "\(screen.description)")
            try await screen.press("Share")
            try #require(screen.shared.count == shares + 1)
            let item = try #require(screen.shared.last?.items.first?.exports.first)
            #expect(item.name?.hasSuffix(ending) == true, "\(item.name ?? "")")
            let data = try await item.data()
            #expect(String(decoding: data, as: UTF8.self).contains(begin), "\(form)")
            try await screen.press("Save to Files")
            let file = try #require(try await screen.save(in: folder))
            #expect(file.lastPathComponent == item.name)
            #expect(try Data(contentsOf: file) == data)
            saved = file
        }
        let file = try #require(saved)
        #expect(try detections(Data(contentsOf: file)).count == count)
        try await screen.press("Done")
        screen.close()
        let other = try await AppBench { [] }
        let incoming = Screen { RootView(other.app) }
        try incoming.select(tab: "History")
        for isFirst in [true, false] {
            try await incoming.press("Import")
            try incoming.choose(files: [file])
            #expect(await incoming.wait(seconds: 60) { incoming.canPress("Done") })
            #expect(incoming.shows(isFirst ? "Imported" : "Nothing was imported"))
            #expect(incoming.says("New detections", isFirst ? "\(count)" : "0"))
            #expect(isFirst || incoming.says("Known before", "\(count)"))
            #expect(incoming.unnamed.isEmpty, "\(incoming.unnamed)")
            try await incoming.press("Done")
            #expect(try await other.app.hub.store.count() == count)
        }
        #expect(await incoming.wait { incoming.says("times, last") })
        incoming.close()
        try FileManager.default.removeItem(at: folder)
        try await bench.end()
        try await other.end()
    }

    @Test func onlyWhatIsTickedGoesOutAndCanBeDeletedTogether() async throws {
        let bench = try await filled()
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "History")
        #expect(await screen.wait(seconds: 30) { screen.says("Ring", "times, last") })
        let all = try await bench.app.hub.store.sources(matching: DetectionFilter(), page: SourcePage())
        let row = try #require(
            screen.spoken.filter { $0.contains("Ring") && $0.contains("times, last") }
                .min { $0.count < $1.count })
        try await screen.press("Edit")
        try await screen.press(row)
        #expect(screen.canPress("Delete 1 ticked"), "\(screen.description)")
        try await screen.press("Export 1 ticked")
        try await screen.choose("JSON, everything", in: "Form")
        #expect(await screen.wait(seconds: 30) { screen.canPress("Share") })
        try await screen.press("Share")
        let item = try #require(screen.shared.last?.items.first?.exports.first)
        let rows = try detections(try await item.data())
        let ring = try #require(all.first { $0.source.label.contains("Ring") })
        let count = try await bench.app.hub.store.count()
        #expect(rows.count == ring.source.count && rows.count < count)
        // The sheet has a button of this name, too, which lies on top.
        try await screen.press("Done")
        try await screen.press("Delete 1 ticked")
        #expect(await screen.wait { screen.shows("Undo") && !screen.spoken.contains(row) })
        #expect(!screen.canPress("ticked"))
        let left = try await bench.app.hub.store.records(matching: DetectionFilter(source: ring.source.id))
        #expect(left.isEmpty)
        screen.close()
        try await bench.end()
    }

    @Test func whatCannotBeUsedIsNamedWithItsLineAndReason() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "History")
        let folder = try folder()
        func bringIn(_ name: String, _ octets: Data) async throws {
            let file = folder.appending(path: name)
            try octets.write(to: file)
            try await screen.press("Import")
            try screen.choose(files: [file])
            #expect(await screen.wait(seconds: 60) { screen.canPress("Done") })
            #expect(screen.says(name) && screen.unnamed.isEmpty, "\(screen.unnamed)")
        }
        let table = """
            id,device_type,mac_address,ssid,rssi,confidence,latitude,longitude,timestamp
            1,Ring,AA:BB:CC:00:00:01,one,-60,0.9,52.5,13.4,2026-11-01T10:00:00Z
            2,Ring,AA:BB:CC:00:00:02,two,loud,0.9,52.5,13.4,2026-11-01T10:00:01Z
            3,Ring,AA:BB:CC:00:00:03,three,near,0.9,52.5,13.4,2026-11-01T10:00:02Z

            """
        try await bringIn("table.csv", Data(table.utf8))
        #expect(screen.says("New detections", "1") && screen.says("Could not be used", "2"))
        #expect(screen.says("Line 3: ", "(2 rows)"), "\(screen.description)")
        try await screen.press("Done")
        // The same, compressed as a stored block of gzip.
        try await bringIn("table.csv.gz", Data(Gzip.stored([UInt8](table.utf8))))
        #expect(screen.says("New detections", "0") && screen.says("Known before", "1"))
        try await screen.press("Done")
        try await bringIn("empty.csv", Data())
        #expect(screen.shows("The file is empty. Choose one that has detections."))
        #expect(screen.shows("Nothing was imported"))
        try await screen.press("Done")
        try await bringIn("half.gz", Data(Gzip.stored([UInt8](table.utf8)).dropLast(30)))
        #expect(screen.says("The file cannot be read any further.", "end too early"))
        try await screen.press("Done")
        // Who changes their mind brings nothing in.
        try await screen.press("Import")
        try await screen.press("Cancel")
        #expect(!screen.canPress("Stop"))
        #expect(await screen.wait(seconds: 30) { screen.says("1 of 1 sources") })
        try await screen.press("Import")
        try screen.choose(files: [folder.appending(path: "gone.csv")])
        #expect(await screen.wait { screen.says("The file could not be read") })
        screen.close()
        try FileManager.default.removeItem(at: folder)
        try await bench.end()
    }

    @Test func aDriveOfThePhoneGoesIntoAnotherHubOnce() async throws {
        let bench = try await AppBench { [] }
        let drive = try await bench.drive()
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "History")
        try await screen.press("Drives")
        #expect(await screen.wait { screen.says("sources", " m,") }, "\(screen.description)")
        try await screen.press(having: "sources")
        #expect(await screen.wait { screen.says("Length", " m") && screen.says("Start") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Export")
        #expect(await screen.wait(seconds: 30) { screen.says("Drives", "1") && screen.canPress("Share") })
        let folder = try folder()
        try await screen.press("Save to Files")
        let file = try #require(try await screen.save(in: folder))
        #expect(file.pathExtension == "gpx")
        screen.close()
        let other = try await AppBench { [] }
        let incoming = Screen { RootView(other.app) }
        try incoming.select(tab: "History")
        for isFirst in [true, false] {
            try await incoming.press("Import")
            try incoming.choose(files: [file])
            #expect(await incoming.wait(seconds: 60) { incoming.canPress("Done") })
            #expect(incoming.says(isFirst ? "New drives" : "Drives known before", "1"))
            try await incoming.press("Done")
            let drives = try await other.app.hub.store.drives()
            #expect(drives.map(\.begin) == [drive.begin] && drives.map(\.end) == [drive.end])
            #expect(abs((drives.first?.metres ?? 0) - drive.metres) < 5)
        }
        incoming.close()
        // And a person deletes it where it was driven.
        let list = Screen { RootView(bench.app) }
        try list.select(tab: "History")
        try await list.press("Drives")
        #expect(await list.wait { list.says("sources", " m,") })
        let row = try #require(
            list.spoken.filter { $0.contains(" m,") }.min { $0.count < $1.count })
        try list.swipe(row, "Delete")
        #expect(await list.wait { list.shows("Nothing driven yet") })
        #expect(try await bench.app.hub.store.drives().isEmpty)
        list.close()
        try FileManager.default.removeItem(at: folder)
        try await bench.end()
        try await other.end()
    }
}

/// Files as gzip packs them.
private enum Gzip {
    /// One member with one block that is not compressed.
    static func stored(_ octets: [UInt8]) -> [UInt8] {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let length = UInt32(octets.count)
        var sum: UInt32 = 0xFFFF_FFFF
        for octet in octets {
            sum ^= UInt32(octet)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + little(length, 2) + little(~length, 2) + octets
            + little(~sum, 4) + little(length, 4)
    }
}
