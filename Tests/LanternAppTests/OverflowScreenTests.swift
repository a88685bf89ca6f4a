// SPDX-License-Identifier: Apache-2.0

import BLEWire
import CompanionHub
import Foundation
import LanternApp
import OverflowArea
import OverflowAreaCompanion
import SwiftUI
import Testing
import VirtualPhone

/// Two phones on one air: one sends in its overflow area, the other one listens.
@Suite("The screen of overflow areas", .timeLimit(.minutes(5)), .serialized) @MainActor
struct OverflowScreenTests {
    /// A phone that sends, another one that listens, and their screens.
    @MainActor private struct Pair {
        let (first, second): (AppBench, AppBench)
        let (sender, receiver): (Screen, Screen)

        init() async throws {
            first = try await AppBench { [] }
            second = try await first.other("C0:AA:00:00:00:02")
            (sender, receiver) = (
                Screen { [first] in RootView(first.app) }, Screen { [second] in RootView(second.app) }
            )
            for phone in [first, second] {
                try await phone.until { phone.app.state?.radio.condition == .scanning }
            }
            for screen in [sender, receiver] {
                try screen.select(tab: "Devices")
                try await screen.press(having: "Overflow")
                #expect(screen.shows("Senders") && screen.shows("When you listen"))
            }
        }

        /// Switches a phone's screen off, or on again.
        func lock(_ bench: AppBench, _ screen: Screen, _ isLocked: Bool) {
            bench.handle.isInForeground = !isLocked
            screen.set(\.scenePhase, to: isLocked ? .background : .active)
        }

        func send(_ payload: String, by codec: String) async throws {
            try await sender.enter(payload, into: "Payload, 4 octets")
            try await sender.choose(codec, in: "Codec")
            try await sender.press("Start sending")
        }

        func end() async throws {
            for screen in [sender, receiver] {
                #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
                screen.close()
            }
            try await second.end()
            try await first.end()
        }
    }

    @Test func aLockedPhoneIsHeardAndBelievedOnceItHasMovedItsMessage() async throws {
        let pair = try await Pair()
        #expect(pair.receiver.shows("No phone heard yet"))
        try await pair.send("CA FE 00 01", by: "v1, two places")
        #expect(await pair.sender.wait(seconds: 30) { pair.sender.says("CA FE 00 01 on the air since") })
        // On the screen one service goes out by name, and without its bit there is no message.
        #expect(
            await pair.receiver.wait(seconds: 30) { pair.receiver.says("No message") },
            "\(pair.receiver.description)")
        pair.lock(pair.first, pair.sender, true)
        // It moves every five seconds, and is believed where its place was seen without it.
        #expect(
            await pair.receiver.wait(seconds: 60) { pair.receiver.says("CA FE 00 01", "v1, clean") },
            "\(pair.receiver.description)")
        try await pair.receiver.press(having: "CA FE 00 01")
        #expect(pair.receiver.shows("No bits of other apps in its place"))
        #expect(pair.receiver.says("Map of 128 bits") && pair.receiver.says("Bit ", "octet"))
        #expect(pair.receiver.unnamed.isEmpty, "\(pair.receiver.unnamed)")
        try pair.receiver.back()
        pair.lock(pair.first, pair.sender, false)
        try await pair.sender.press("Stop sending")
        #expect(await pair.sender.wait(seconds: 30) { pair.sender.shows("Start sending") })
        #expect(await pair.first.app.hub.overflowState.beacon == OverflowBeacon())
        try await pair.end()
    }

    @Test func theOtherCodecIsReadFromAPhoneWhoseScreenIsOn() async throws {
        let pair = try await Pair()
        try await pair.send("0102-0304", by: "v2, Hamming")
        #expect(await pair.receiver.wait(seconds: 30) { pair.receiver.says("01 02 03 04", "v2") })
        pair.lock(pair.first, pair.sender, true)
        // What was in the open is a bit of the map now.
        let map = OverflowHamming.map(of: OverflowPayload(0x0102_0304))
        try await pair.second.until {
            await pair.second.app.hub.overflowState.sources.first?.map == map
        }
        try await pair.receiver.press(having: "01 02 03 04")
        #expect(pair.receiver.shows("The code is right") && pair.receiver.shows("Stays where it is"))
        try pair.receiver.back()
        try await pair.end()
    }

    @Test func aLockedPhoneHearsNothingAndSaysSoAfterwards() async throws {
        let pair = try await Pair()
        let hub = pair.second.app.hub
        pair.lock(pair.second, pair.receiver, true)
        #expect(pair.receiver.says("Not listening since", "Lantern is not on the screen"))
        try await pair.send("01 02 03 04", by: "v2, Hamming")
        #expect(await pair.sender.wait(seconds: 30) { pair.sender.says("on the air since") })
        pair.lock(pair.first, pair.sender, true)
        // A third phone has heard it on the screen meanwhile: it was on the air, and long enough.
        let third = try await pair.first.other("C0:AA:00:00:00:03")
        let listening = Task { await third.app.hub.listenForOverflow() }
        try await third.until { await third.app.hub.overflowState.sources.first?.payload != nil }
        #expect(await hub.overflowState.sources.isEmpty)
        pair.lock(pair.second, pair.receiver, false)
        #expect(await pair.receiver.wait(seconds: 30) { pair.receiver.says("01 02 03 04", "v2, clean") })
        #expect(pair.receiver.says("Not listened from", "Lantern was not on the screen"))
        listening.cancel()
        await listening.value
        try await third.end()
        try await pair.end()
    }

    @Test func whatIsNoPayloadOrCannotBeSentIsSaid() async throws {
        let bench = try await AppBench { [] }
        let screen = Screen { RootView(bench.app) }
        try screen.select(tab: "Devices")
        try await screen.press(having: "Overflow")
        try await screen.enter("01 02 03", into: "Payload, 4 octets")
        try await screen.press("Start sending")
        #expect(
            await screen.wait {
                screen.shows("Four octets: eight hexadecimal digits, such as 01 02 03 04.")
            })
        try await screen.enter("01:02:03:04", into: "Payload, 4 octets")
        try await screen.choose("v2, Hamming", in: "Codec")
        bench.phone.isBluetoothOn = false
        try await bench.until { bench.app.obstacle != nil }
        try await screen.press("OK")
        try await screen.press("Start sending")
        #expect(await screen.wait { screen.says("There is no radio to advertise with.") })
        bench.phone.isBluetoothOn = true
        try await bench.until { bench.app.obstacle == nil }
        try await screen.press("Start sending")
        #expect(await screen.wait(seconds: 30) { screen.says("01 02 03 04 on the air since") })
        // It goes off with Bluetooth, and says so.
        bench.phone.isBluetoothOn = false
        #expect(await screen.wait(seconds: 30) { screen.says("The radio does not advertise any more") })
        #expect(screen.unnamed.isEmpty, "\(screen.unnamed)")
        screen.close()
        try await bench.end()
    }
}
