// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import CommandOptions
import Companion
import CompanionDevices
import Detections
import FlockFinder
import FlockFinderDevices
import Testing

@testable import CommandIO
@testable import FlockFinderCommands

@Suite("How flock commands end and what they refuse")
struct FlockStatusTests {
    static let missing = FlockFinderAdvice.characteristicsMissing([FlockFinderUUID.detection])

    static func status(_ body: () throws -> Void) -> CommandError.Status {
        do {
            try body()
            return .done
        } catch {
            return (error as? CommandError)?.status ?? .wrongUsage
        }
    }

    @Test func aWatchWithoutEndIsDoneWhateverCame() throws {
        let watch = try FlockWatchCommand.parse(["--radio", "sim"])
        #expect(Self.status { try watch.check(FlockRecorder.Tally()) } == .done)
        var tally = FlockRecorder.Tally()
        tally.advice = Self.missing
        #expect(Self.status { try watch.check(tally) } == .done)
    }

    @Test func aDurationWithoutADeviceIsNothingFound() throws {
        let watch = try FlockWatchCommand.parse(["--radio", "sim", "--duration", "3"])
        var tally = FlockRecorder.Tally()
        #expect(Self.status { try watch.check(tally) } == .nothingFound)
        tally.wasConnected = true
        #expect(Self.status { try watch.check(tally) } == .done)
    }

    @Test func fewerDetectionsThanWereWantedAreNotFound() throws {
        for duration in [["--duration", "3"], []] {
            let watch = try FlockWatchCommand.parse(["--radio", "sim", "--count", "5"] + duration)
            var tally = FlockRecorder.Tally()
            tally.wasConnected = true
            tally.detections = 3
            let error = #expect(throws: CommandError.self) { try watch.check(tally) }
            #expect(error == .nothingFound("Only 3 detections of 5 came in that time."))
            tally.detections = 5
            #expect(Self.status { try watch.check(tally) } == .done)
        }
    }

    @Test func theWrongDeviceByAddressFailsWithAdvice() throws {
        let watch = try FlockWatchCommand.parse(["--radio", "sim", "--address", "C0:FF:EE:F1:0C:01"])
        var tally = FlockRecorder.Tally()
        tally.wasTried = true
        tally.advice = Self.missing
        let error = #expect(throws: CommandError.self) { try watch.check(tally) }
        #expect(error?.status == .failed)
        #expect(error?.sentence.contains("firmware") == true)
        #expect(error?.sentence.contains("\(FlockFinderUUID.detection)") == true)
    }

    @Test func sendingEndsByWhatBecameOfTheCommand() throws {
        let send = try FlockSendCommand.parse(["C0:FF:EE:F1:0C:01", "PING"])
        #expect(send.wait.duration == .seconds(2))
        var tally = FlockRecorder.Tally()
        #expect(Self.status { try send.check(tally) } == .nothingFound)
        tally.wasTried = true
        #expect(Self.status { try send.check(tally) } == .failed)
        tally.advice = Self.missing
        #expect(Self.status { try send.check(tally) } == .failed)
        tally.wasRadioLost = true
        #expect(throws: CommandError.failed("The radio is gone.")) { try send.check(tally) }
        tally.commandsWritten = 1
        #expect(Self.status { try send.check(tally) } == .done)
        tally.refusal = "unknown command: PNG"
        let refused = #expect(throws: CommandError.self) { try send.check(tally) }
        #expect(refused?.status == .failed)
        #expect(refused?.sentence.contains("does not know the command: unknown command: PNG.") == true)
        tally.commandFailure = .timeout
        #expect(Self.status { try send.check(tally) } == .failed)
    }

    @Test(arguments: [
        ["--location", "91,0"], ["--location", "0,181"], ["--location", "52.5"], ["--location", "nan,0"],
        ["--speed", "2"], ["--location", "gpx:x", "--speed", "0"], ["--location", "gpsd", "--speed", "2"],
        ["--count", "0"], ["--count", "x"], ["--duration", "-1"], ["--address", "nobody"],
    ])
    func watchRefuses(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try FlockWatchCommand.parse(["--radio", "sim"] + arguments) }
    }

    @Test func watchTakesAllItsOptions() throws {
        let watch = try FlockWatchCommand.parse([
            "--radio", "sim", "--database", "x", "--address", "c0:ff:ee:f1:0c:01/R", "--location=-33.5,-151",
            "--count", "5", "--duration", "0.5", "--stream", "--no-ping", "--json",
        ])
        #expect(try watch.recording.locationOptions.location == LocationSource("-33.5,-151"))
        #expect((watch.recording.count, watch.recording.duration?.duration) == (5, .milliseconds(500)))
        #expect(watch.stream && watch.isPingOff && watch.recording.format.isJSON)
        #expect(watch.address?.target == .peer(Peer(device)))
        #expect(
            try FlockWatchCommand.parse(["--address", "C0:FF:EE:F1:0C:01"]).address?.target
                == .address(0xC0FF_EEF1_0C01))
    }

    @Test func aCommandOfMoreThan512OctetsIsRefused() throws {
        let address = "C0:FF:EE:F1:0C:01"
        #expect(throws: (any Error).self) {
            try FlockSendCommand.parse([address, String(repeating: "ü", count: 257)])
        }
        #expect(
            try FlockSendCommand.parse([address, String(repeating: "ü", count: 256)]).command.count == 256)
    }

    @Test(arguments: [("3", "3 s"), ("0.5", "0.5 s"), ("0", "0 s"), ("90", "90 s")])
    func secondsReadAsTheyAreWritten(_ written: String, _ read: String) {
        #expect(Seconds(argument: written)?.text == read)
    }
}
