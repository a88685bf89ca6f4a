// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import BondSealing
import Companion
import CompanionDevices
import Foundation
import HubModel
import Testing

@testable import CompanionHub
@testable import HubWeb

@Suite("What a hub answers about devices that pair and that have paired", .timeLimit(.minutes(5)))
struct PairingRouteTests {
    private static let peer = Peer(BluetoothAddress(0xC1AA_0000_0001, kind: .random))
    private static let adapter = BluetoothAddress(0x00AA_0100_0001, kind: .public)

    /// A page that answers.
    private struct Page {
        let server: TestServer

        func ask(_ kind: PairingQuestion.Kind) -> Task<SMP.Answer, Never> {
            Task { await server.hub.pairings.ask(PairingQuestion(PairingRouteTests.peer, kind), .device) }
        }

        /// The number of the pairing, once it is asked about.
        func asked(digits: JSONNode.Value?) async throws -> String {
            while true {
                let answer = try await server.get("/pairings")
                if try answer.value("items.0.pairing.phase") == .text("asking") {
                    #expect(try answer.value("items.0.digits") == digits)
                    let id = try answer.json().list("items")[0].needed("pairing").needed("id")
                    guard case .number(let number) = id.value else { throw WebConnection.Fault.ended }
                    return "\(Int64(number))"
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        func answer(_ id: String, _ body: String) async throws -> WebAnswer {
            try await server.request("POST", "/api/v1/pairings/\(id)/answer", body: body)
        }
    }

    @Test func aQuestionIsListedAndAnsweredOnce() async throws {
        try await TestServer.run { server in
            let page = Page(server: server)
            #expect(try await server.get("/pairings").json().list("items").isEmpty)
            let passkey = try #require(SMP.Passkey(digits: "042917"))
            let waiting = page.ask(.compare(passkey))
            let id = try await page.asked(digits: .text("042917"))
            for wrong in [
                #"{"accept":true}"#, #"{"question":0,"accept":true}"#, #"{"question":1,"accept":"yes"}"#,
            ] {
                #expect(try await page.answer(id, wrong).status == 422)
            }
            let other = try await page.answer(id, #"{"question":2,"accept":true}"#)
            #expect(try other.status == 409 && other.value("title") == .text("Conflict"))
            let given = try await page.answer(id, #"{"question":1,"accept":true}"#)
            #expect(try given.status == 200 && given.value("phase") == .text("working"))
            #expect(await waiting.value == .accept)
            #expect(try await page.answer(id, #"{"question":1,"accept":false}"#).status == 409)
            // The digits are gone with the question.
            #expect(try await server.get("/pairings").value("items.0.digits") == nil)
            await server.hub.pairings.ended(
                Self.peer, .success(LinkSecurity(level: .secureConnections, keySize: 16, isBonded: true)))
            #expect(try await server.get("/pairings").json().list("items").isEmpty)
            #expect(try await page.answer(id, #"{"question":1,"accept":true}"#).status == 404)
        }
    }

    @Test func digitsAreTypedOrANoIsSaid() async throws {
        try await TestServer.run { server in
            let page = Page(server: server)
            let passkey = try #require(SMP.Passkey(digits: "042917"))
            var waiting = page.ask(.enter)
            var id = try await page.asked(digits: nil)
            for wrong in [
                #"{"question":1,"accept":true}"#, #"{"question":1,"accept":true,"digits":"12345"}"#,
                #"{"question":1,"accept":true,"digits":"12a456"}"#,
            ] {
                #expect(try await page.answer(id, wrong).status == 422)
            }
            let digits = #"{"question":1,"accept":true,"digits":"042917"}"#
            #expect(try await page.answer(id, digits).status == 200)
            #expect(await waiting.value == .passkey(passkey))
            await server.hub.pairings.ended(
                Self.peer, .failure(.pairing(.refusedByPeer(.confirmValueFailed))))
            #expect(try await page.answer(id, digits).status == 404)
            waiting = page.ask(.enter)
            id = try await page.asked(digits: nil)
            // Digits with a no are a no.
            let no = try await page.answer(id, #"{"question":1,"accept":false,"digits":"042917"}"#)
            #expect(
                try no.value("phase") == .text("failed")
                    && no.value("reason") == .text("It was refused at the hub."))
            #expect(await waiting.value == .reject)
        }
    }

    private static func bond() throws -> KeptBond {
        let key = SMP.LongTermKey(key: SMP.Secret(UInt128(0x0123_4567_89AB_CDEF) << 64))
        let address = try #require(peer.address)
        let bond = SMP.Bond(
            security: SMP.Security(
                isAuthenticated: true, keySize: 16, isSecureConnections: true, isBonded: true),
            keyAsCentral: key, keyAsPeripheral: key,
            identity: SMP.Identity(resolvingKey: SMP.Secret(UInt128(7)), address: address))
        return try #require(KeptBond(bond))
    }

    @Test func bondsAreListedWithoutKeysAndForgotten() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lantern-bonds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let keyFile = folder.appendingPathComponent("key").path
        try await TestServer.run(bondKey: keyFile) { server in
            let bonds = try #require(server.bonds)
            let nothing = try await server.get("/bonds")
            #expect(
                try nothing.json().list("items").isEmpty && nothing.value("unreadable") == .number(0)
                    && nothing.value("fault") == nil)
            try await bonds.keep(try Self.bond(), of: Self.adapter)
            let list = try await server.get("/bonds")
            #expect(try list.value("items.0.address") == .text("C1:AA:00:00:00:01"))
            #expect(try list.value("items.0.adapter") == .text("00:AA:01:00:00:01"))
            #expect(try list.value("items.0.level") == .text("secure_connections"))
            #expect(try list.value("items.0.changing_address") == .bool(true))
            #expect(!list.text.lowercased().contains("0123456789abcdef"))

            for wrong in [
                "/bonds", "/bonds?address=", "/bonds?address=C1", "/bonds?address=C1:AA:00:00:00:01/X",
            ] {
                #expect(try await server.request("DELETE", "/api/v1" + wrong).status == 400)
            }
            let other = "/api/v1/bonds?address=C1:AA:00:00:00:02"
            #expect(try await server.request("DELETE", other).status == 404)
            let one = "/api/v1/bonds?address=C1:AA:00:00:00:01/R"
            #expect(try await server.request("DELETE", one).status == 204)
            #expect(try await server.request("DELETE", one).status == 404)
            #expect(try await server.get("/bonds").json().list("items").isEmpty)
        }
    }

    @Test func bondsThatCannotBeReadAreSaidAndForgotten() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lantern-bonds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, keyFile) = (
            folder.appendingPathComponent("hub.sqlite").path, folder.appendingPathComponent("key").path
        )
        try await TestServer.run(path: path, bondKey: keyFile) { server in
            try await #require(server.bonds).keep(try Self.bond(), of: Self.adapter)
        }
        try FileManager.default.removeItem(atPath: keyFile)
        try await TestServer.run(path: path, bondKey: keyFile) { server in
            let list = try await server.get("/bonds")
            #expect(try list.json().list("items").isEmpty && list.value("unreadable") == .number(1))
            #expect(list.text.contains("is missing, so the keys of bonded devices cannot be read"))
            #expect(try await server.request("DELETE", "/api/v1/bonds/unreadable").status == 204)
            let after = try await server.get("/bonds")
            #expect(try after.value("unreadable") == .number(0) && after.value("fault") == nil)
        }
    }
}
