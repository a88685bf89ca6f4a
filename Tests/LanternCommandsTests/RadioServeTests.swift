// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESimulation
import BLEVirtualRadio
import BLEWire
import Companion
import SimulatedDevices
import Testing

@testable import LanternCommands

@Suite("lantern radio serve")
struct RadioServeTests {
    @Test(arguments: [
        ("all", SimulatedDevices.kinds + ["strap", "thermometer"]), ("wifiset", ["wifiset"]),
        ("flockfinder,all", SimulatedDevices.kinds + ["strap", "thermometer"]),
        ("thermometer,strap", ["thermometer", "strap"]),
        ("wifiset,flockfinder,wifiset", ["wifiset", "flockfinder"]),
    ])
    func devicesAreNamedEachOnce(text: String, kinds: [String]) {
        #expect(DeviceSelection(argument: text)?.kinds == kinds)
    }

    @Test(arguments: ["", ",", "toaster", "flockfinder,", "all,toaster", "Flockfinder"])
    func unknownDevicesAreWrongUsageThatNamesTheKnown(text: String) {
        #expect(DeviceSelection(argument: text) == nil)
        let error = #expect(throws: (any Error).self) {
            _ = try RadioServeCommand.parse(["--port", "9000", "--devices", text])
        }
        guard let error else { return }
        #expect(RadioServeCommand.exitCode(for: error) == .validationFailure)
        #expect(RadioServeCommand.fullMessage(for: error).contains("flockfinder"))
    }

    @Test(arguments: [
        ["--port", "-1"], ["--port", "65536"], ["--port", "65535"], ["--port", "9000", "--controllers", "0"],
        ["--port", "9000", "--controllers", "65"], ["--port", "9000", "--loss", "1.01"],
        ["--port", "9000", "--loss", "-0.1"], ["--port", "9000", "--loss", "nan"],
        ["--port", "9000", "--seed", "-1"], ["--port", "9000", "--controllers", "9223372036854775807"], [],
        ["--port", "9000", "--at", "1"], ["--port", "9000", "--at", "1=2"],
        ["--port", "9000", "--at", "1=2,3,4"],
        ["--port", "9000", "--at", "1=nan,0"], ["--port", "9000", "--at", "1=1e7,0"],
        ["--port", "9000", "--at", "3=1,1"], ["--port", "9000", "--at", "0=1,1"],
        ["--port", "9000", "--at", "toaster=1,1"], ["--port", "9000", "--at", "flockfinder=1,1"],
        ["--port", "9000", "--latency", "20-10"], ["--port", "9000", "--latency", "10001"],
        ["--port", "9000", "--latency", "1-2-3"], ["--port", "9000", "--latency", "-5"],
        ["--port", "9000", "--latency", ""], ["--port", "9000", "--path-loss", "0.9"],
        ["--port", "9000", "--path-loss", "nan"], ["--port", "9000", "--features", "classic"],
    ])
    func whatCannotBeMeantIsWrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try RadioServeCommand.parse(arguments) }
        if let error { #expect(RadioServeCommand.exitCode(for: error) == .validationFailure) }
    }

    @Test(arguments: [
        ["--port", "0", "--controllers", "64"], ["--port", "65535", "--controllers", "1"],
        ["--port", "9000", "--loss", "0", "--seed", "18446744073709551615"],
        ["--port", "9000", "--loss", "1"], ["--port", "9000", "--latency", "0-10000"],
        ["--port", "9000", "--devices", "all", "--at", "2=-1e6,1e6", "--at", "flockfinder=0,0"],
    ])
    func theLimitsCanBeMeant(arguments: [String]) throws {
        _ = try RadioServeCommand.parse(arguments)
    }

    @Test func theAirIsWhatWasSaid() throws {
        let command = try RadioServeCommand.parse([
            "--port", "0", "--devices", "flockfinder", "--at", "2=3.5,-4", "--at", "flockfinder=1,2",
            "--at", "2=5,6", "--latency", "20-50", "--path-loss", "3", "--loss", "0.25", "--seed", "9",
            "--features", "legacy",
        ])
        let air = command.air.configuration
        #expect(air.latencyMicroseconds == 20_000...50_000 && air.loss == 0.25 && air.seed == 9)
        #expect(air.pathLossExponent == 3)
        #expect(command.air.position(of: .controller(2)) == VirtualAir.Position(x: 5, y: 6))
        #expect(command.air.position(of: .device("flockfinder")) == VirtualAir.Position(x: 1, y: 2))
        #expect(command.air.position(of: .controller(1)) == nil)
        #expect(command.features.generation == .legacy)
    }

    @Test func aLineChangesTheAir() {
        #expect(AirControl("move 2 3,-4") == .move(.controller(2), VirtualAir.Position(x: 3, y: -4)))
        #expect(AirControl("move flockfinder 0,0") == .move(.device("flockfinder"), VirtualAir.Position()))
        #expect(AirControl("  loss  0.5 ") == .loss(0.5))
    }

    @Test(arguments: [
        "", "move", "move 2", "move toaster 1,1", "move 2 1", "move 2 1,1 1", "loss 2", "loss x", "jump",
    ])
    func aLineThatMeansNothingChangesNothing(line: String) { #expect(AirControl(line) == nil) }
}
