// SPDX-License-Identifier: Apache-2.0

import BluetoothLE
import BondSealing
import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import FlockFinder
import Foundation
import HTTPTypes
import HubModel
import Logging
import NIOSSL
import Synchronization
import Testing

@testable import HubWeb

/// A radio that is not there.
struct NoRadio: HubRadioSource {
    let name = "none"
    let isSimulated = true
    let maximumConnections = 4
    let capture: (any HubCapturing)? = nil

    func open() async throws(RadioError) -> (name: String, radio: Radio) {
        throw RadioError(.missing, title: "No radio", text: "There is none in this test.")
    }
}

/// A clock that a test lets skip a year, between one look at it and the next.
final class SkippingClock: Sendable {
    private let looks = Mutex<Int?>(nil)

    /// Skips a year after so many looks.
    func skip(after count: Int) { looks.withLock { $0 = count } }

    /// The time, a year later once it has skipped one.
    func now() -> Timestamp {
        let hasSkipped = looks.withLock { left in
            guard let count = left else { return false }
            left = max(count - 1, 0)
            return count == 0
        }
        let now = Timestamp.now()
        return hasSkipped ? Timestamp(milliseconds: now.milliseconds + 365 * 86_400_000) : now
    }
}

/// A hub with its server on a port of this machine, for as long as a test needs it.
struct TestServer: Sendable {
    let hub: Hub
    let store: DetectionDatabase
    let access: AccessControl
    let port: Int
    let usage: ClientUsage
    let routes: RouteTable
    let bonds: SealedBonds?

    /// Pages for tests that need none of ours.
    static func pages() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lantern-pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("pages"), withIntermediateDirectories: true)
        for (name, text) in [
            (
                "index.html",
                #"<!doctype html><link rel="manifest" href="./manifest.webmanifest"><script src="app.js"></script>"#
            ),
            ("app.js", String(repeating: "export {};\n", count: 50)),
            ("tokens.css", ":root {}"),
            ("icon.svg", "<svg/>"), ("manifest.webmanifest", "{}"), ("pages/history.js", "// history"),
            ("icon.png", String(repeating: "\u{7}", count: 500)), ("secret.key", "no page"),
        ] {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        return folder
    }

    /// Runs a server.
    static func run<Value: Sendable>(
        path: String? = nil, needsLogin: Bool = false, bondKey: String? = nil,
        frozenAt moment: ContinuousClock.Instant? = nil, clock: SkippingClock? = nil,
        _ change: (inout HubServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Value
    ) async throws -> Value {
        let store =
            if let path {
                try await DetectionDatabase.open(path: path, createIfMissing: true)
            } else {
                try DetectionDatabase()
            }
        var options = Hub.Options(name: "test-hub", version: "9.9", captureFile: "/nonexistent/capture")
        let bonds = bondKey.map { SealedBonds(in: store, keyFile: $0) }
        options.bonds = bonds
        let hub = Hub(options, store: store, radio: NoRadio())
        let access = try await AccessControl(
            store: store, needsLogin: needsLogin, now: { clock?.now() ?? .now() },
            monotonic: { moment ?? ContinuousClock.now })
        let pages = try pages()
        defer { try? FileManager.default.removeItem(at: pages) }
        var configuration = HubServerConfiguration(port: 0, pages: pages)
        // Where a machine is busy the test itself is slow; that who is slow is cut off is tested with limits of its own.
        (configuration.limits.idle, configuration.limits.slowest) = (.seconds(3600), .seconds(3600))
        change(&configuration)
        let (ports, port) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try await HubServer(
            hub, configuration: configuration, access: access, logger: logger
        ) { port.yield($0) }
        let hubTask = Task { await hub.run() }
        let serverTask = Task {
            defer { port.finish() }
            try await server.run()
        }
        let number = await ports.first { _ in true }
        guard let number else {
            hubTask.cancel()
            try await serverTask.value
            throw WebConnection.Fault.ended
        }
        let result: Result<Value, any Error>
        do {
            let test = TestServer(
                hub: hub, store: store, access: access, port: number, usage: server.usage,
                routes: server.routes, bonds: bonds)
            result = .success(try await body(test))
        } catch {
            result = .failure(error)
        }
        serverTask.cancel()
        try? await serverTask.value
        hubTask.cancel()
        await hubTask.value
        try await store.close()
        return try result.get()
    }

    /// Sends one request and holds the answer against what its route has declared.
    @discardableResult
    func request(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String? = nil,
        octets: [UInt8]? = nil, host: String = "127.0.0.1", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> WebAnswer {
        var headers = headers
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            headers.append(("Content-Type", "application/json"))
        }
        let (sent, sentHeaders) = (octets ?? body.map { Array($0.utf8) }, headers + [("Connection", "close")])
        let answer = try await WebConnection.open(port) { connection in
            try await connection.request(method, path, headers: sentHeaders, body: sent, host: host)
            return try await connection.answer(isHead: method == "HEAD")
        }
        try check(answer, method, path, sourceLocation)
        return answer
    }

    /// Waits until so many files are being imported.
    func importing(_ count: Int) async throws {
        while usage.count(.importing) != count { try await Task.sleep(for: .milliseconds(1)) }
    }

    func get(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> WebAnswer {
        try await request("GET", "/api/v1" + path, sourceLocation: sourceLocation)
    }

    /// Holds an answer against the declaration of its route, and every answer against what all have.
    private func check(
        _ answer: WebAnswer, _ method: String, _ path: String, _ sourceLocation: SourceLocation
    ) throws {
        let policy = answer.header("content-security-policy")
        let own = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        // A page may have pictures of a map server, too; those that need no hub have an engine.
        let isOfPage = path == "/" && policy?.hasPrefix(own + "; img-src 'self' https://") == true
        let isWithoutHub =
            path.hasPrefix("/browser/")
            && policy == own + "; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' https: http:"
        #expect(policy == own || isOfPage || isWithoutHub, sourceLocation: sourceLocation)
        #expect(answer.header("x-content-type-options") == "nosniff", sourceLocation: sourceLocation)
        if answer.status >= 400 {
            #expect(
                answer.header("content-type") == "application/problem+json", sourceLocation: sourceLocation)
            if method != "HEAD" {
                #expect(Problem.schema.fault(in: try answer.json(), named: "problem") == nil)
            }
        }
        let address = path.split(separator: "?")[0]
        guard address.hasPrefix(RouteTable.base), let method = HTTPRequest.Method(method),
            case .route(let route, _, _) = routes.match(method, address.dropFirst(RouteTable.base.count))
        else { return }
        guard answer.status < 400 else {
            let declared = route.allRefusals.map { $0.code }
            #expect(declared.contains(answer.status), "\(answer.text)", sourceLocation: sourceLocation)
            return
        }
        #expect(answer.status == route.answer.status.code, sourceLocation: sourceLocation)
        guard let type = route.answer.type else { return }
        #expect(answer.header("content-type") == type, sourceLocation: sourceLocation)
        if type == "application/json", !route.path.hasPrefix("/exports") {
            let fault = route.answer.schema.fault(in: try answer.json(), named: "answer")
            #expect(fault == nil, sourceLocation: sourceLocation)
        }
    }
}

extension Sighting {
    /// A sighting with what a test cares about.
    static func sample(
        _ number: Int, type: DetectionType = .ring, ssid: String? = nil, confidence: Double = 0.8,
        at position: Position? = nil
    ) -> Sighting {
        Sighting(
            type: type, label: type.labelString, ssid: ssid ?? "net-\(number)", rssi: -60 - number % 20,
            confidence: confidence, received: Timestamp(milliseconds: Timestamp.now().milliseconds - 1000),
            position: position, raw: Array("{\(number)}".utf8))
    }
}
