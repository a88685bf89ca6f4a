// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import Testing

@testable import HubWeb

@Suite("Imports that end before their files do", .timeLimit(.minutes(5)))
struct ImportEndTests {
    private static let path = "/api/v1/imports/detections"
    private static let known = "/api/v1/map/known?name=a"
    private static let type = [("Content-Type", "application/octet-stream")]
    private static let heading = "device_type,rssi,confidence,timestamp\n"
    private static let row = "Ring,-60,1,2024-01-01\n"

    private static func packed(_ text: String) throws -> [UInt8] {
        try #require(Gzip.packed(Array(text.utf8)))
    }

    /// Some octets in which there is much to read, and one detection at its end.
    private static func long() throws -> [UInt8] {
        let blank = String(repeating: "\n", count: 1000)
        let bad = (0..<12_000).map { "\(blank)Ring,x,\($0 * 7919 % 100_000),2024-01-01\n" }
        return try packed(heading + bad.joined() + row)
    }

    /// Nobody else could import meanwhile.
    @Test func whoLeavesEndsTheImport() async throws {
        let file = try Self.long()
        // It is with the hub as a whole, long before it was read.
        #expect(file.count < 200_000)
        try await TestServer.run {
            $0.limits.halfClosed = .milliseconds(1)
        } _: { server in
            for path in [Self.path, Self.path + "?dry_run=true"] {
                try await WebConnection.open(server.port) { connection in
                    try await connection.request("POST", path, headers: Self.type, body: file)
                    try await server.importing(1)
                }
                try await server.importing(0)
                #expect(try await server.store.count() == 0, "It was read to its end for nobody.")
            }
            let rest = Array((Self.heading + Self.row).utf8)
            let answer = try await server.request("POST", Self.path, headers: Self.type, octets: rest)
            #expect(try answer.value("imported") == .number(1))
        }
    }

    @Test func aFileThatIsMostlyEmptyIsRefusedEarly() async throws {
        let blank = String(repeating: "\n", count: 4_000_000)
        try await TestServer.run { server in
            let file = try Self.packed(Self.heading + Self.row + blank)
            let answer = try await server.request("POST", Self.path, headers: Self.type, octets: file)
            guard case .text(let reason)? = try answer.value("broken.reason") else {
                Issue.record("\(answer.text)")
                return
            }
            #expect(reason.hasPrefix("it unpacks to far more than any file of detections"))
            #expect(try answer.value("imported") == .number(1))
            let cameras = try await server.request(
                "POST", Self.known, headers: Self.type, octets: try Self.packed(blank))
            #expect(cameras.status == 422 && cameras.text.contains("far more than any file"))
        }
    }

    @Test func aFileThatBringsNothingGivesItsPlaceUp() async throws {
        try await TestServer.run {
            $0.limits.fruitless = .zero
        } _: { server in
            // A thousandth of a second is what its octets are worth.
            let file = try Self.packed(Self.heading + String(repeating: "\n", count: 900_000))
            for (query, words) in [
                ("", "reads no more of it; what was found before was imported."),
                ("?dry_run=true", "reads no more of it."),
            ] {
                let answer = try await server.request(
                    "POST", Self.path + query, headers: Self.type, octets: file)
                #expect(answer.status == 422, "\(answer.text)")
                #expect(answer.text.contains("No detection and no drive was found"))
                #expect(answer.text.contains(words) && answer.text.contains("lantern detections import"))
            }
            let cameras = try await server.request(
                "POST", Self.known, headers: Self.type,
                octets: try Self.packed(String(repeating: "\n", count: 900_000)))
            #expect(cameras.status == 422 && cameras.text.contains("No camera was found"))
            try await server.importing(0)
        }
    }
}
