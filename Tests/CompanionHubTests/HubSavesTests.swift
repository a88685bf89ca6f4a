// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import HubModel
import OverflowArea
import SimulatedDevices
import Testing

@testable import CompanionHub

@Suite("Devices that a hub explores and saves", .timeLimit(.minutes(5)))
struct HubSavesTests {
    private func explored(
        in fixture: HubFixture
    ) async throws -> (device: HubDevice, explorer: JobHandle<ExplorerJob>) {
        let hub = fixture.hub
        try await eventually { hub.devices.contains { $0.peer == Peer(SimulatedStrap.address) } }
        let device = try #require(hub.devices.first { $0.peer == Peer(SimulatedStrap.address) })
        let begun = try await hub.beginExplorer(device: device.id)
        #expect(begun.job.kind == .explorer)
        let explorer: JobHandle<ExplorerJob> = hub.job(begun.job.id)
        try await eventually { try await explorer.shown.step == .ready }
        return (device, explorer)
    }

    @Test func whatWasExploredIsSavedComparedAndServedAgain() async throws {
        let fixture = try await HubFixture(
            { $0.jobPatience.lease = 3600 }, devices: { [SimulatedStrap.make()] })
        let hub = fixture.hub
        let (_, explorer) = try await explored(in: fixture)
        let job = explorer.id
        let first = try await hub.saveExplored(job: job, as: "Before")
        #expect(first.name == "Before" && first.deviceName == "HR strap 9A3C2B" && first.services >= 5)
        #expect(first.values > 5 && first.octets > 1000)
        let handle = try #require(
            try await explorer.state.tree?.services.flatMap(\.characteristics).first {
                $0.properties.contains(.writeWithoutResponse)
            }
        ).valueHandle

        // The first write is asked about, and what was confirmed once is remembered for the device.
        await #expect(throws: HubError.self) {
            try await hub.write([1], to: handle, job: job, isAnswered: true, isConfirmed: false)
        }
        #expect(try await explorer.logged().values.isEmpty)
        let written = try await hub.write(
            [9, 9, 9, 9], to: handle, job: job, isAnswered: true, isConfirmed: true)
        #expect(written.error == nil)
        #expect(try await explorer.shown.mayWrite)
        _ = try await hub.write(
            [9, 9, 9, 9], to: handle, job: job, isAnswered: false, isConfirmed: false)
        _ = try await (hub.job(job) as JobHandle<ExplorerJob>).read(handle)

        let second = try await hub.saveExplored(job: job, as: "")
        #expect(second.name == "HR strap 9A3C2B")
        let found = try await hub.differences(first.id, second.id)
        #expect(
            found.changes.contains {
                $0.kind == .changed && $0.before == "00000000" && $0.after == "09090909"
            })
        #expect(try await hub.saves().map(\.id) == [second.id, first.id])
        try await hub.end(job: job)
        // What was explored can be saved after its end, and a file comes back as it was.
        _ = try await hub.saveExplored(job: job, as: "After")
        let file = try await hub.save(first.id).file
        let again = try await hub.keep(file: file, as: "Brought")
        #expect(try await hub.save(again.id).file == file)
        #expect(try await hub.differences(first.id, again.id).changes.isEmpty)

        #expect(try await hub.serve(save: first.id).state == .starting)
        try await eventually { await hub.serving.state == .on }
        #expect(await hub.serving.name == "HR strap 9A3C2B")
        await #expect(throws: HubError.self) {
            try await hub.startBeacon(try #require(OverflowPayload(octets: [1, 2, 3, 4])), .v1)
        }
        await hub.endServing()
        #expect(await hub.serving.state == .off)
        // A hub that ends takes it off the air.
        _ = try await hub.serve(save: again.id, as: "Other")
        try await fixture.remove()
        #expect(await hub.serving.state == .off)
    }

    @Test func aSaveIsOpenedWithoutTheDevice() async throws {
        let fixture = try await HubFixture(
            { $0.jobPatience.lease = 3600 }, devices: { [SimulatedStrap.make()] })
        let hub = fixture.hub
        let (_, explorer) = try await explored(in: fixture)
        let saved = try await hub.saveExplored(job: explorer.id, as: "Strap")
        func json(_ part: some EventPart) throws -> JSONNode {
            var json = JSONWriter()
            part.write(into: &json)
            return try JSONReader.read(json.octets)
        }
        let tree = try #require(try await explorer.state.tree)
        let opened = try await hub.opened(save: saved.id)
        // Handles, names, values, decoded fields and refusals: what a page sees is what it saw of the device.
        #expect(try json(opened).needed("services").plain == json(tree).needed("services").plain)
        #expect(opened.structures.count >= 4 && opened.entry == saved)

        // By hand, without handles: each follows the one before.
        let file = #"""
            {"services":[{"uuid":"180f","characteristics":[
              {"uuid":"2a19","properties":["read","notify"],"value":"52","descriptors":[{"uuid":"2902"}]},
              {"uuid":"2a1a","properties":["read"],"error_code":5}]}]}
            """#
        let byHand = try await hub.keep(file: Array(file.utf8), as: "By hand")
        let service = try #require(try json(try await hub.opened(save: byHand.id)).list("services").first)
        let (level, other) = (try service.list("characteristics")[0], try service.list("characteristics")[1])
        #expect(try service.needed("handle").number("", in: 0...9) == 1)
        #expect(try level.needed("value_handle").number("", in: 0...9) == 3)
        #expect(try level.list("descriptors")[0].needed("handle").number("", in: 0...9) == 4)
        #expect(try level.list("fields")[0].needed("value").text("") == "82%")
        #expect(try service.needed("end_handle").number("", in: 0...9) == 6)
        #expect(try other.needed("error").text("").contains("authenticated"))
        // What cannot be laid out says why.
        let twice = #"{"services":[{"uuid":"180f","handle":9},{"uuid":"180a","handle":9}]}"#
        let wrong = try await hub.keep(file: Array(twice.utf8), as: "Wrong")
        await #expect(throws: HubError.self) { try await hub.opened(save: wrong.id) }
        await #expect(throws: HubError.self) { try await hub.opened(save: 77) }
        try await fixture.remove()
    }

    @Test func whatIsNoSavedDeviceIsRefusedWithItsLine() async throws {
        let fixture = try await HubFixture(devices: { [] })
        let hub = fixture.hub
        for file in ["", "[]", "{}", #"{"services":[{"uuid":"x"}]}"#, #"{"services":3}"#] {
            await #expect(throws: HubError.self) { try await hub.keep(file: Array(file.utf8), as: "") }
        }
        let kept = try await hub.keep(file: Array(#"{"services":[]}"#.utf8), as: "")
        #expect(kept.name == "Device" && kept.address == nil && kept.services == 0)
        await #expect(throws: HubError.noSave) { try await hub.rename(save: kept.id + 1, to: "x") }
        #expect(try await hub.rename(save: kept.id, to: "Nothing").name == "Nothing")
        try await hub.delete(save: kept.id)
        await #expect(throws: HubError.noSave) { try await hub.delete(save: kept.id) }
        await #expect(throws: HubError.noSave) { try await hub.serve(save: kept.id) }
        try await fixture.remove()
    }

    @Test func aPageThatLooksAtTheListIsToldForAMinute() async throws {
        let fixture = try await HubFixture(devices: { [SimulatedStrap.make()] })
        let hub = fixture.hub
        try await eventually { await !hub.lookAtHeard().isEmpty }
        let strap = try #require(await hub.lookAtHeard().first)
        #expect(strap.who == "Heart Rate" && strap.firstHeard <= strap.seen.lastHeard)
        try await eventually { fixture.events.named("scan_changed").contains { $0.contains("slot_rssi") } }
        #expect(try hub.heardDevice(strap.id).structures.count == 5)
        try await fixture.remove()
    }
}

extension JSONNode {
    /// What it says, wherever it stands.
    fileprivate var plain: String {
        switch value {
        case .array(let elements): "[\(elements.map(\.plain).joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\($0.key):\($0.node.plain)" }.joined(separator: ","))}"
        case .null, .bool, .number, .text: "\(value)"
        }
    }
}
