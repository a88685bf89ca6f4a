// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEVirtualRadio
import BLEWire
import Testing

@testable import LanternCommands

@Suite("lantern radio serve")
struct RadioServeTests {
    @Test(arguments: [
        ("all", ["flockfinder"]), ("flockfinder", ["flockfinder"]), ("flockfinder,all", ["flockfinder"]),
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
    ])
    func whatCannotBeMeantIsWrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try RadioServeCommand.parse(arguments) }
        if let error { #expect(RadioServeCommand.exitCode(for: error) == .validationFailure) }
    }

    @Test(arguments: [
        ["--port", "0", "--controllers", "64"], ["--port", "65535", "--controllers", "1"],
        ["--port", "9000", "--loss", "0", "--seed", "18446744073709551615"],
        ["--port", "9000", "--loss", "1"],
    ])
    func theLimitsCanBeMeant(arguments: [String]) throws {
        _ = try RadioServeCommand.parse(arguments)
    }

    @Test func whatHappensIsALineEach() {
        let address = RadioServeCommand.address(of: 2)
        let news: [RadioServePrinter.News] = [
            .listening(2, host: "::1", port: 9001, address), .device("flockfinder"), .ready,
            .host(2, .attached("127.0.0.1:50000")), .host(2, .detached(.left)), .host(2, .detached(.cutOff)),
            .host(2, .detached(.ended)),
        ]
        for isJSON in [true, false] {
            let text = TextOutput()
            let printer = RadioServePrinter(to: text.output(.plain(columns: 120)), isJSON: isJSON)
            for item in news { printer.show(item, at: .noon) }
            #expect(text.lines.count == news.count)
            #expect(text.text.contains(isJSON ? #""port":9001"# : "tcp:[::1]:9001"))
        }
        #expect(
            RadioServePrinter.json(news[0], at: .noon)
                == #"{"event":"listening","controller":2,"host":"::1","port":9001,"#
                + #""address":"00:AA:02:00:00:02","time":"2026-11-21T12:00:00.000Z"}"#)
        #expect(
            RadioServePrinter.json(news[5], at: .noon)
                == #"{"event":"detached","controller":2,"reason":"cut_off","time":"2026-11-21T12:00:00.000Z"}"#
        )
    }
}
