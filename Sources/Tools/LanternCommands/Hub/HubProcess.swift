// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BondSealing
import CLibC
import CommandIO
import Companion
import CompanionDevices
import CompanionHub
import CompanionStore
import Detections
import FlockFinder
import Foundation
import GPSDClient
import HubModel
import HubWeb
import Logging
import ServiceLifecycle

/// A hub and its pages in this process.
struct HubProcess {
    /// The database.
    let database: String
    /// Where the radio comes from.
    let radio: ChosenRadio
    /// Where the pages are served.
    let listen: ListenAddress
    /// With what they are encrypted.
    var certificate: HubServerConfiguration.Certificate?
    /// Names by which the hub may be called.
    var names: [String] = []
    /// What is captured from the beginning.
    var capture: String?
    /// The program that is run for each alert.
    var alertProgram: String?
    /// Where the hub takes its place from, when that is not in its settings.
    var location: LocationSource?
    /// Where it is, whatever its settings say: the route of a demo, or a track.
    var place: GivenPlace?
    /// By what its own radio notices cameras, when people want that.
    var signatures = SignatureTable.builtIn
    /// A file of map pictures.
    var mapFile: String?
    /// The file with the key that seals bonds, or the word for the keyring.
    var bondKey: String
    /// The folder of the pages that need no hub.
    var browserPages: String?
    /// Whether browsers sign in although only this machine reaches the pages.
    var requiresLogin = false
    /// Proxies whose word for who has sent a request is taken.
    var proxies = ProxyTrust()
    /// Where the database is copied to now and then, if anywhere.
    var backups: Backups?
    private let errors = Output.standardError()

    init(database: String, radio: ChosenRadio, listen: ListenAddress) {
        self.database = database
        bondKey = Self.bondKey(of: database)
        self.radio = radio
        self.listen = listen
    }

    /// The file with the key that seals the bonds of a database: beside the file itself, whatever links lead to it.
    ///
    /// Where the file has other names, the key may be beside one of those.
    static func bondKey(of database: String) -> String {
        let ending = "-bond-key"
        let file = HubLock.file(of: database)
        var (own, other) = (stat(), stat())
        guard access(file + ending, F_OK) != 0, stat(file, &own) == 0, own.st_nlink > 1 else {
            return file + ending
        }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = names.sorted().first { name in
            name.hasSuffix(ending) && stat("\(folder)/\(name.dropLast(ending.count))", &other) == 0
                && other.st_ino == own.st_ino && other.st_dev == own.st_dev
        }
        return found.map { "\(folder)/\($0)" } ?? file + ending
    }

    /// The bonds of a hub.
    ///
    /// - Parameters:
    ///   - store: Its database.
    ///   - key: The file with the key that seals them, or the word for the keyring.
    ///   - makesKey: Whether the key is made; not by whoever only looks.
    /// - Returns: The bonds.
    static func bonds(in store: DetectionDatabase, key: String, makesKey: Bool = true) -> SealedBonds {
        #if os(Linux)
        if key == BondKeyring.word { return SealedBonds(in: store, key: BondKeyring(), makesKey: makesKey) }
        #endif
        return SealedBonds(in: store, keyFile: key, makesKey: makesKey)
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter listening: Told the address of the pages, once they are served.
    /// - Throws: ``CommandError``.
    func run(listening: @escaping @Sendable (String) async -> Void) async throws {
        lantern_give_memory_back()
        let lock = try HubLock(database: database)
        // Until the store is closed.
        defer { withExtendedLifetime(lock) {} }
        // Some are beside the file itself, some beside the link that was named.
        for name in Set([database, HubLock.file(of: database)]) { Leftovers.remove(beside: name) }
        if let folder = backups?.folder { Leftovers.remove(beside: folder + "/copy") }
        if let capture { Leftovers.remove(beside: capture) }
        let store = try await open()
        store.tellOfUnusableRows { log($0) }
        do {
            try await serve(store, lock, listening)
            do {
                try await store.close()
            } catch let error where error.isSetAside {
                // Nothing is lost.
                log(error.description)
            } catch {
                throw CommandError.failed(error.description)
            }
        } catch {
            // Why it has failed is what counts.
            await withoutCancellation { try? await store.close() }
            throw error
        }
    }

    /// Opens the database; while another program holds it, that is said and waited for.
    private func open() async throws -> DetectionDatabase {
        var wasLogged = false
        while true {
            do {
                let store = try await DetectionDatabase.open(path: database, createIfMissing: true) {
                    progress in
                    log("The database is being brought up to date: \(progress.step).")
                }
                for fault in store.unusableFiles { log(fault.description) }
                return store
            } catch StoreError.busy(let path) {
                if !wasLogged { log(StoreError.busy(path: path).description + " The hub is waiting for it.") }
                wasLogged = true
                try await Task.sleep(for: .seconds(1))
            } catch {
                throw CommandError.failed(error.description)
            }
        }
    }

    private func serve(
        _ store: DetectionDatabase, _ lock: HubLock, _ listening: @escaping @Sendable (String) async -> Void
    ) async throws {
        do {
            try await serverConfiguration.checkAddress()
        } catch {
            throw CommandError.failed(error.description)
        }
        // Whoever names a proxy lets in everybody who comes through it.
        let needsLogin = requiresLogin || !proxies.isEmpty || !serverConfiguration.isLoopback
        let access = try await AccessControl(store: store, needsLogin: needsLogin)
        try await makeToken(access)
        let folder = URL(fileURLWithPath: database).deletingLastPathComponent().path
        var options = Hub.Options(
            name: HubMachine.name, version: LanternVersion.text,
            captureFile: capture ?? folder + "/capture.btsnoop")
        options.place = place
        options.gpsd =
            if case .gpsd(let host, let port)? = location {
                GPSDSocket(host: host, port: port)
            } else {
                GPSDSocket()
            }
        options.alerts = alertProgram.map { AlertRunner(program: $0) }
        options.signatures = signatures
        options.mapTiles = try await mapTiles()
        let bonds = Self.bonds(in: store, key: bondKey)
        options.bonds = bonds
        options.log = { sentence in log(sentence) }
        var radio = radio
        radio.bonds = bonds
        let hub = Hub(options, store: store, radio: radio)
        if let location { await set(location, of: hub) }
        if capture != nil { try await startCapture(hub) }

        let notifier = ServiceNotifier()
        let isEncrypted = certificate != nil
        var logger = Logger(label: "lantern", factory: { _ in SentenceLogHandler(write: log) })
        logger.logLevel = .error
        let server = try await HubServer(
            hub, configuration: serverConfiguration, access: access, logger: logger
        ) { port in
            let url = listen.url(port: port, isEncrypted: isEncrypted)
            var state = HubAccess(address: url, isEncrypted: isEncrypted)
            await access.describe(in: &state)
            await hub.setAccess(state)
            notifier.send("READY=1")
            await listening(url)
        }
        if let warning = certificate?.warning(at: .now()) { log(warning) }
        for file in ExposedFile.all(database: database, keys: [bondKey, certificate?.key].compactMap { $0 }) {
            log(file.sentence)
        }
        // The last is ended first: the pages hear to the end what becomes of the devices.
        var services: [any Service] = [server, HubService { await logTroubles(of: hub, lock) }]
        if notifier.interval != nil {
            services.append(HubService { await notifier.keepAlive { _ = await hub.state() } })
        }
        if let backups { services.append(HubService { await backups.run(store) { log($0) } }) }
        services.append(HubService { await hub.run() })
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
        // A task of its own: cancelling it would cut short what a graceful end lets finish.
        let work = Task { try await group.run() }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            notifier.send("STOPPING=1")
            Task { await group.triggerGracefulShutdown() }
        }
        if case .failure(let error) = result, !(error is CancellationError), !Task.isCancelled {
            throw CommandError.failed((error as? HubServerError)?.description ?? "\(error)")
        }
    }

    private func mapTiles() async throws -> MapTiles? {
        guard let mapFile else { return nil }
        do throws(StoreError) {
            return try await MapTiles.open(mapFile)
        } catch {
            if error == .cancelled { throw error }
            throw CommandError.failed(error.description)
        }
    }

    private var serverConfiguration: HubServerConfiguration {
        var configuration = HubServerConfiguration(
            host: listen.host, port: listen.port, certificate: certificate, names: names + [HubMachine.name])
        configuration.proxies = proxies
        configuration.browserPages = browserPages.map { URL(fileURLWithPath: $0) }
        return configuration
    }

    /// Makes the token that is needed when others may reach the hub.
    private func makeToken(_ access: AccessControl) async throws {
        guard access.needsLogin, await !access.hasToken else { return }
        let output = Output.standard()
        // A log is no place for it.
        guard output.terminal.isInteractive else {
            throw CommandError.failed(
                "Others could reach these pages, so they need a token. Make one with lantern hub --new-token in a "
                    + "terminal, with the same --database.")
        }
        try await Self.showNewToken(of: access, on: output)
    }

    /// Makes a token and shows it, this once.
    static func showNewToken(of access: AccessControl, on output: Output) async throws {
        let token = try await access.makeToken()
        try output.line("The token with which browsers sign in, shown only now: \(token.text)")
    }

    private func set(_ location: LocationSource, of hub: Hub) async {
        // A database that cannot be written is no reason to stay away.
        do throws(HubError) { try await hub.setPlace(location) } catch { log(error.description) }
    }

    private func startCapture(_ hub: Hub) async throws {
        do throws(HubError) {
            _ = try await hub.startCapture()
        } catch {
            throw CommandError.failed(error.description)
        }
    }

    /// Says what is wrong with the radio and the database, and when it is right again.
    private func logTroubles(of hub: Hub, _ lock: HubLock) async {
        var radioTitle = ""
        var storeTrouble: String?
        while !Task.isCancelled {
            let state = await hub.state()
            if state.radio.title != radioTitle {
                radioTitle = state.radio.title
                let name = state.radio.name.isEmpty ? "" : " (\(state.radio.name))"
                let sentences = ["\(radioTitle)\(name).", state.radio.text].filter { !$0.isEmpty }
                log(sentences.joined(separator: " "))
            }
            if state.storage.trouble != storeTrouble {
                storeTrouble = state.storage.trouble
                log(storeTrouble ?? "The database can be written again; everything is stored.")
                do throws(CommandError) { try lock.renew() } catch { log(error.sentence) }
            }
            // An error says that the task is cancelled.
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    private func log(_ sentence: String) {
        // There is nowhere left to say that this failed.
        try? errors.line("lantern: " + PrintableText.escaped(sentence))
    }
}

/// Work of a hub's process that goes on until it is told to end, and then takes the time that it needs.
private struct HubService: Service {
    private let work: @Sendable () async -> Void

    init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

    func run() async { await cancelWhenGracefulShutdown { await work() } }
}
