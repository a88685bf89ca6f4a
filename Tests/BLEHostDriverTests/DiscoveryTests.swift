// SPDX-License-Identifier: Apache-2.0

import BLEHostDriver
import Testing

/// Each device once: when it has said all, when half a second has passed, and when the scan ends.
@Suite("Devices that are discovered", .manualTime, .timeLimit(.minutes(5)))
struct DiscoveryTests {
    private static let (one, two) = (UInt64(0xC000_0000_0001), UInt64(0xC000_0000_0002))
    /// A complete local name.
    private static let name: [UInt8] = [4, 9] + "Abc".utf8

    private static func start() async throws -> (controller: ScriptedController, host: HostRadio) {
        let controller = ScriptedController()
        let host = controller.makeRadio()
        try await host.start()
        return (controller, host)
    }

    @Test func aDeviceIsReportedOnceItHasSaidAllAndNeverAgain() async throws {
        let (controller, host) = try await Self.start()
        var devices = try await host.radio.discover().makeAsyncIterator()
        let before = host.radio.now
        for _ in 0..<3 {
            controller.give(ControllerScript.report(Self.one))
            controller.give(ControllerScript.report(Self.one, isScanResponse: true, Self.name))
        }
        controller.give(ControllerScript.report(Self.two, isScanResponse: true, Self.name))
        controller.give(ControllerScript.report(Self.two))
        for address in [Self.one, Self.two] {
            let device = try #require(try await devices.next())
            #expect(device.peer == Peer(BluetoothAddress(address, kind: .random)) && device.name == "Abc")
            #expect(device.data.flags != nil)
        }
        #expect(host.radio.now - before < .milliseconds(100))
        await host.close()
        #expect(try await devices.next() == nil)
    }

    @Test func theRestIsWaitedForHalfASecond() async throws {
        let (controller, host) = try await Self.start()
        var devices = try await host.radio.discover().makeAsyncIterator()
        let before = host.radio.now
        controller.give(ControllerScript.report(Self.one))
        let silent = try #require(try await devices.next())
        #expect(silent.name == nil && silent.data.flags != nil)
        #expect(host.radio.now - before >= .milliseconds(500))
        #expect(host.radio.now - before < .milliseconds(700))
        // What it says later does not report it again, and the next device is waited for as this one was.
        controller.give(ControllerScript.report(Self.one, isScanResponse: true, Self.name))
        controller.give(ControllerScript.report(Self.two))
        #expect(try await devices.next()?.peer == Peer(BluetoothAddress(Self.two, kind: .random)))
        #expect(host.radio.now - before >= .milliseconds(1000))
        await host.close()
    }

    @Test func whatStillWaitsIsReportedWhenTheScanEnds() async throws {
        let (controller, host) = try await Self.start()
        var timed = try await host.radio.discover(for: .milliseconds(200)).makeAsyncIterator()
        controller.give(ControllerScript.report(Self.one))
        #expect(try await timed.next() != nil)
        #expect(try await timed.next() == nil)
        var lost = try await host.radio.discover().makeAsyncIterator()
        controller.give(ControllerScript.report(Self.one))
        try await ManualTime.pass(milliseconds: 100)
        controller.cut()
        #expect(try await lost.next() != nil)
        await #expect(throws: BluetoothError.self) {
            for try await _ in try await host.radio.discover() {}
        }
        await host.close()
    }

    @Test func nothingIsWaitedForWhereNoScanResponseIsAskedFor() async throws {
        let (controller, host) = try await Self.start()
        var devices = try await host.radio.discover(ScanOptions(isActive: false)).makeAsyncIterator()
        let before = host.radio.now
        controller.give(ControllerScript.report(Self.one))
        #expect(try await devices.next() != nil)
        #expect(host.radio.now - before < .milliseconds(100))
        await host.close()
    }

    @Test func aLoopThatIsCancelledOrLeftEndsTheScan() async throws {
        let (controller, host) = try await Self.start()
        let stream = try await host.radio.discover()
        let waiting = begin { try await stream.first { _ in true } }
        controller.give(ControllerScript.report(Self.one))
        try await ManualTime.pass(milliseconds: 100)
        waiting.cancel()
        #expect(try await waiting.value == nil)
        try await ManualTime.pass(milliseconds: 1000)
        #expect(await host.census.scans == 0)
        await host.close()
    }

    @Test func aRadioIsClosedHoweverTheWorkEnds() async throws {
        struct Enough: Error {}
        for fails in [false, true] {
            let (_, host) = try await Self.start()
            let radio = host.radio
            do throws(Enough) {
                let seen = try await radio.executeThenClose { radio throws(Enough) in
                    if fails { throw Enough() }
                    return await radio.capabilities.contains(.channels)
                }
                #expect(!fails && seen)
            } catch {
                #expect(fails)
            }
            #expect(await radio.states().first { _ in true } == nil)
        }
    }
}
