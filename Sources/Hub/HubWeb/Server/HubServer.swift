// SPDX-License-Identifier: Apache-2.0

package import CompanionHub
import CompanionStore
import Foundation
import HubModel
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// Serves a hub's pages and its interface over HTTP.
package final class HubServer: Service {
    private let hub: Hub
    private let configuration: HubServerConfiguration
    private let logger: Logger
    private let access: AccessControl
    let usage: ClientUsage
    private let streams: EventStreams
    private let connections: OpenConnections
    private let responder: HubResponder
    private let server: HTTPServerBuilder
    /// What it answers.
    let routes: RouteTable
    private let listening: @Sendable (_ port: Int) async -> Void

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - hub: What it serves.
    ///   - configuration: How it is reached.
    ///   - access: Who may use it.
    ///   - logger: Where it writes.
    ///   - listening: Told the port once it listens.
    /// - Throws: ``HubServerError``.
    package init(
        _ hub: Hub, configuration: HubServerConfiguration, access: AccessControl, logger: Logger,
        listening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) async throws {
        let hasToken = await access.hasToken
        guard configuration.isLoopback || (access.needsLogin && hasToken) else {
            throw HubServerError.tokenNeeded
        }
        self.hub = hub
        self.configuration = configuration
        self.logger = logger
        self.access = access
        self.listening = listening
        let usage = ClientUsage(configuration.limits)
        self.usage = usage
        let connections = OpenConnections(configuration.limits)
        self.connections = connections
        streams = EventStreams(hub.feed, usage)
        let folder = configuration.pages ?? PageFiles.folder(beside: Bundle.main.executableURL)
        guard let folder, let pages = try? PageFiles(folder: folder, isVersioned: true) else {
            throw HubServerError.noPages
        }
        let browserFolder =
            configuration.browserPages ?? PageFiles.browserFolder(beside: Bundle.main.executableURL)
        let browserPages = try browserFolder.map { (folder) throws(HubServerError) in
            guard let pages = try? PageFiles(folder: folder) else {
                throw HubServerError.noBrowserPages(folder: folder.path)
            }
            return pages
        }
        let metrics = PrometheusMetrics()
        let site = HubAPI(
            hub: hub, access: access, streams: streams, usage: usage, version: await hub.state().version)
        routes = site.routes
        responder = HubResponder(
            routes: routes, pages: pages, browserPages: browserPages,
            mapServer: {
                let map = await hub.settings.map
                return map.tiles == .server ? map.server : nil
            }, access: access,
            origin: RequestOrigin(names: HostNames(configuration.names)), usage: usage,
            connections: connections, proxies: configuration.proxies,
            isEncrypted: configuration.certificate != nil,
            metrics: HubMetrics(factory: metrics),
            metricsText: { await site.metrics(metrics, usage, connections: connections.count) })
        server = try Self.builder(configuration, usage, connections, routes)
        // Other programs make and revoke tokens, too.
        await hub.watch(setting: AccessControl.setting) { [access, streams] in
            if await access.reload() { streams.endAll() }
        }
    }

    /// Serves until it is cancelled or shut down gracefully: event streams end at once, other answers may take two
    /// seconds more, of which the hub may have taken some to end.
    package func run() async throws {
        let application = Application(
            responder: responder, server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.bareHost, port: configuration.port), serverName: "Lantern"),
            onServerRunning: { [listening] channel in await listening(channel.localAddress?.port ?? 0) },
            logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [streams, access] in await streams.keepAlive(access) }
            group.addTask { [access] in await access.keepSessions() }
            group.addTask { [self] in
                try await withTaskCancellationHandler {
                    try await withGracefulShutdownHandler {
                        try await serve(application)
                    } onGracefulShutdown: {
                        self.stop()
                    }
                } onCancel: {
                    self.stop()
                }
            }
            // The first two go on for ever.
            try await group.next()
            group.cancelAll()
        }
    }

    private func serve(_ application: some ApplicationProtocol) async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            throw HubServerError.cannotListen(
                address: "\(configuration.host):\(configuration.port)",
                reason: String(cString: strerror(error.errnoCode)))
        }
    }

    private func stop() {
        streams.stop()
        // Whoever waits for a picture would hold up the end.
        hub.mapTiles?.stop()
        Task { [connections, hub, limits = configuration.limits] in
            // Answers went on while the hub left its devices, so that time counts.
            let passed = await hub.leavingSince.map { ContinuousClock.now - $0 } ?? .zero
            try? await Task.sleep(for: max(limits.shortestFarewell, limits.farewell - passed))
            connections.closeAll()
        }
    }

    private static func builder(
        _ configuration: HubServerConfiguration, _ usage: ClientUsage, _ connections: OpenConnections,
        _ routes: RouteTable
    ) throws -> HTTPServerBuilder {
        let limits = configuration.limits
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headers, maxHeaderListSize: limits.headers, maxHeaderFieldCount: 100)
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ConnectionGuard(usage, connections, configuration.proxies) { routes.hasSecret($0) }
                ],
                idleTimeout: TimeAmount(limits.idle), httpDecoderConfiguration: decoder))
        guard let files = configuration.certificate else { return plain }
        let chain: [NIOSSLCertificate] = try readable(files.certificate, "PEM certificate") {
            try NIOSSLCertificate.fromPEMFile($0)
        }
        let key = try readable(files.key, "PEM key without a password") {
            try NIOSSLPrivateKey(file: $0, format: .pem)
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        do {
            // The server looks at them no sooner than when it begins, and says nothing of the files.
            _ = try NIOSSLContext(configuration: tls)
            return try .tls(plain, tlsConfiguration: tls)
        } catch {
            throw HubServerError.badCertificate(reason: "\(files.key) does not go with \(files.certificate)")
        }
    }

    /// What a file holds, or a sentence about why it holds nothing of use.
    private static func readable<Content>(
        _ path: String, _ what: String, _ read: (String) throws -> Content
    ) throws(HubServerError) -> Content {
        guard FileManager.default.isReadableFile(atPath: path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw .badCertificate(reason: "\(path) \(isThere ? "may not be read" : "is not there")")
        }
        do { return try read(path) } catch {
            throw .badCertificate(reason: "\(path) holds no \(what)")
        }
    }
}
