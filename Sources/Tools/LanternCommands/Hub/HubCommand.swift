// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import CommandOptions
import CompanionHub
import CompanionStore
import Detections
import FlockFinderCommands
import HubWeb
import RadioChoosing

/// `lantern hub`: listens for devices day and night, keeps what they bring, and shows it in a browser.
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Listen day and night, and show everything in a browser.",
        discussion: """
            Connects to FlockFinder devices by itself, keeps what they detect, and serves pages for phones and \
            desktops. The pages also work without a radio, and then say what to do about it.

            Options can also be set in the environment, as LANTERN_RADIO, LANTERN_LISTEN, LANTERN_ALERT_COMMAND and \
            so on, or in a JSON file (--config): {"radio": "serial:/dev/ttyACM0", "alert_command": \
            "/usr/local/bin/alert"}. Options come first, then the environment, then the file.

            Only this machine can reach the pages, unless --listen opens them to others, as 0.0.0.0:8080 does; browsers \
            then sign in with a token, which the first start shows. Other users of this machine, and anyone who comes \
            through a proxy on it, can reach them, too: --require-login keeps them out. Only one hub at a time can use a \
            database; other commands may use it meanwhile.
            """,
        subcommands: [HubTokensCommand.self, HubBackupCommand.self, HubRestoreCommand.self])

    @Option(help: ArgumentHelp("The radio: \(RadioChoice.choices).", valueName: "radio"), completion: .radios)
    var radio: String?

    @OptionGroup var databaseOptions: DatabaseOptions

    @Option(
        help: ArgumentHelp(
            "Where the pages are served (default: 127.0.0.1:8080).", valueName: "address:port"))
    var listen: String?

    @OptionGroup var locationOptions: LocationOptions

    @Option(
        help: ArgumentHelp("Read options that are not given here from this JSON file.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The table of signatures by which the hub's own radio notices cameras (default: the built-in one).",
            valueName: "file"), completion: .file())
    var signatures: String?

    @Option(
        help: ArgumentHelp(
            "Offer map pictures from this MBTiles file, for maps without a network.",
            valueName: "file"), completion: .file())
    var mapFile: String?

    @Option(
        help: ArgumentHelp(
            "Run this program for each alert; it gets the detection as JSON on its standard input.",
            valueName: "program"), completion: .file())
    var alertCommand: String?

    @Option(
        help: ArgumentHelp("Serve the pages over HTTPS, with this certificate.", valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's private key.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Seal the keys of paired devices with the key in this file, or in the system's keyring; it is made if there is none (default: a file beside the database).",
            valueName: "file|keyring"), completion: .file())
    var bondKey: String?

    @Option(
        help: ArgumentHelp(
            "Serve the pages that need no hub at /browser/, from this folder, which Scripts/build-web makes.",
            valueName: "folder"), completion: .directory)
    var browserPages: String?

    @Option(
        help: ArgumentHelp(
            "More names under which browsers may reach the hub, separated by commas.",
            valueName: "names"))
    var names: String?

    @Flag(help: "Make browsers sign in with a token even if only this machine can reach the pages.")
    var requireLogin = false

    @Option(
        help: ArgumentHelp(
            "Proxies to believe about who sent a request, separated by commas; browsers then have to sign in.",
            valueName: "addresses"))
    var trustedProxies: String?

    @Option(
        help: ArgumentHelp("Write all HCI traffic to a btsnoop file.", valueName: "file"), completion: .file()
    )
    var capture: String?

    @Option(
        help: ArgumentHelp("Copy the database into this folder regularly.", valueName: "folder"),
        completion: .directory)
    var backupFolder: String?

    @Option(
        help: ArgumentHelp(
            "How many hours pass between two copies (default: \(Backups.usual.hours)).", valueName: "hours"))
    var backupHours: Int?

    @Option(
        help: ArgumentHelp(
            "How many copies are kept (default: \(Backups.usual.kept)).", valueName: "count"))
    var backupKeep: Int?

    @Flag(
        help: """
            Make a new owner's token, show it, and end; everyone who signed in with the old one is signed out, at once if the \
            hub is running.
            """)
    var newToken = false

    func run() async throws {
        let given: [HubSetup.Key: String?] = [
            .radio: radio, .database: databaseOptions.database, .listen: listen,
            .location: locationOptions.location?.description, .speed: locationOptions.speed.map { "\($0)" },
            .capture: capture, .names: names, .alertCommand: alertCommand, .tlsCertificate: tlsCertificate,
            .tlsKey: tlsKey, .signatures: signatures, .mapFile: mapFile, .bondKey: bondKey,
            .browserPages: browserPages, .requireLogin: requireLogin ? "true" : nil,
            .trustedProxies: trustedProxies, .backupFolder: backupFolder,
            .backupHours: backupHours.map { "\($0)" }, .backupKeep: backupKeep.map { "\($0)" },
        ]
        let setup = try await HubSetup(options: given.compactMapValues { $0 }, file: config)
        if setup.database == nil { try DataFolder.create(DataFolder.path) }
        let database = setup.database ?? DataFolder.database
        if newToken { return try await showNewToken(database) }
        let radio = try ChosenRadio(setup.radio)
        if let capture = setup.capture { try OutputPath.check(capture) }
        var process = HubProcess(database: database, radio: radio, listen: setup.listen)
        process.certificate = setup.certificate
        process.names = setup.names
        process.capture = setup.capture
        process.alertProgram = setup.alertProgram
        process.location = setup.location
        if let (track, speed) = setup.track { process.place = .track(track, speed: speed) }
        process.signatures = setup.signatures
        process.mapFile = setup.mapFile
        if let bondKey = setup.bondKey { process.bondKey = bondKey }
        process.browserPages = setup.browserPages
        process.requiresLogin = setup.requiresLogin
        process.proxies = setup.proxies
        process.backups = setup.backups
        let output = Output.standard()
        try await process.run { url in
            // Whoever has started it may have closed its ears.
            try? output.line(
                "The pages are at \(url)  Detections are kept in \(DataFolder.abbreviated(database)).")
        }
    }

    private func showNewToken(_ database: String) async throws {
        var options = DatabaseOptions()
        options.database = database
        let store = try options.openOrCreate()
        let access = try await AccessControl(store: store, needsLogin: true)
        try await HubProcess.showNewToken(of: access, on: .standard())
        try await store.close()
    }
}
