// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import FlockFinderSimulated
import Foundation
import LanternApp
import SwiftUI
import Testing
import VirtualPhone

/// What goes in and out by Settings: all detections, sets of known cameras, a copy of everything.
@Suite("Files of the app's settings", .timeLimit(.minutes(5)), .serialized) @MainActor
struct BackupScreenTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lantern-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func aSetOfKnownCamerasIsAddedAndRemoved() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        let folder = try folder()
        try screen.select(tab: "Settings")
        try await screen.press("Known cameras")
        #expect(await screen.wait { screen.shows("None yet") })
        let file = folder.appending(path: "Berlin.geojson")
        let features = [13.405, 13.406].map { longitude in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),52.52]},"#
                + #""properties":{"man_made":"surveillance","surveillance:type":"ALPR"}}"#
        }
        let bench1 =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
            + #""properties":{"amenity":"bench"}}"#
        let list = (features + [bench1]).joined(separator: ",")
        try Data(#"{"type":"FeatureCollection","features":[\#(list)]}"#.utf8).write(to: file)
        for isFirst in [true, false] {
            try await screen.press("Add a set")
            try screen.choose(files: [file])
            #expect(
                await screen.wait(seconds: 30) {
                    screen.says("Cameras", "2") && screen.says("Berlin", "2 cameras, added")
                        && screen.says("In the place of") != isFirst
                }, "\(screen.description)")
        }
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        let (cameras, _) = try await bench.app.hub.store.knownCameras(in: .world, limit: 10)
        #expect(cameras.map(\.position.longitude).sorted() == [13.405, 13.406])
        try Data("nothing".utf8).write(to: folder.appending(path: "nothing.json"))
        try await screen.press("Add a set")
        try screen.choose(files: [folder.appending(path: "nothing.json")])
        #expect(await screen.wait(seconds: 30) { screen.says("Nothing was changed.") })
        #expect(try await bench.app.hub.store.knownSets().map(\.cameras) == [2])
        let row = try #require(screen.spoken.first { $0.hasPrefix("Berlin, 2 cameras") })
        try screen.swipe(row, "Remove")
        #expect(await screen.wait { screen.shows("None yet") })
        #expect(try await bench.app.hub.store.knownSets().isEmpty)
        screen.close()
        try FileManager.default.removeItem(at: folder)
        try await bench.end()
    }

    @Test func aCopyOfEverythingGoesToAnotherPhone() async throws {
        let bench = try await AppBench { [SimulatedFlockFinder.make()] }
        try await bench.noticed(4)
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Settings")
        try await screen.choose("90 days", in: "Keep")
        try await bench.until { await bench.app.hub.settings.retentionDays == 90 }
        // All detections can be exported from here, too.
        try await screen.press("Export all detections")
        #expect(await screen.wait(seconds: 30) { screen.canPress("Save to Files") })
        try await screen.press("Done")
        try await screen.press("Copy of everything")
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        try await screen.press("Make a copy")
        #expect(await screen.wait(seconds: 30) { screen.canPress("Share") })
        let folder = try folder()
        try await screen.press("Save to Files")
        let file = try #require(try await screen.save(in: folder))
        #expect(file.pathExtension == "sqlite")
        let store = try DetectionDatabase(path: file.path, createIfMissing: false)
        let count = try await store.count()
        try await store.close()
        #expect(count >= 4)
        screen.close()
        let other = try await AppBench { [] }
        let incoming = Screen { RootView(other.app) }
        try incoming.select(tab: "Settings")
        try await incoming.press("Copy of everything")
        let text = folder.appending(path: "text.sqlite")
        try Data("no database".utf8).write(to: text)
        for (chosen, answer) in [
            (file, "Leave it"), (text, "Replace everything"), (file, "Replace everything"),
        ] {
            try await incoming.press("Put a copy in place")
            try incoming.choose(files: [chosen])
            #expect(incoming.shows("What is on this phone now is gone then. Make a copy of it first."))
            try await incoming.press(answer)
            if chosen == text {
                #expect(await incoming.wait(seconds: 30) { incoming.says("Nothing was changed.") })
            } else if answer != "Leave it" {
                #expect(
                    await incoming.wait(seconds: 60) { incoming.shows("Everything is as in the copy.") },
                    "\(incoming.description)")
            }
            let isPut = chosen == file && answer != "Leave it"
            #expect(try await other.app.hub.store.count() == (isPut ? count : 0))
        }
        #expect(await other.app.hub.settings.retentionDays == 90)
        try await other.until { other.app.settings.retentionDays == 90 }
        incoming.close()
        try FileManager.default.removeItem(at: folder)
        try await bench.end()
        try await other.end()
    }
}
