// SPDX-License-Identifier: Apache-2.0

import CommandIO
import Companion
import CompanionHub
import Configuration
import Detections
import FlockFinder
import FlockFinderCommands
import Foundation
import HubWeb

/// What a person wants of a hub: options before the environment before a file.
struct HubSetup: Sendable {
    /// What may stand in the file, and behind `LANTERN_` in the environment.
    enum Key: String, CaseIterable {
        case radio
        case database
        case listen
        case location
        case speed
        case capture
        case names
        case signatures
        case mapFile = "map_file"
        case alertCommand = "alert_command"
        case tlsCertificate = "tls_certificate"
        case tlsKey = "tls_key"
        case bondKey = "bond_key"
        case browserPages = "browser_pages"
        case requireLogin = "require_login"
        case trustedProxies = "trusted_proxies"
        case backupFolder = "backup_folder"
        case backupHours = "backup_hours"
        case backupKeep = "backup_keep"
    }

    var radio: String?
    var database: String?
    var listen = ListenAddress.usual
    var location: LocationSource?
    /// The track of `gpx:FILE`, and how many times as fast it is played.
    var track: (track: GPXTrack, speed: Double)?
    var capture: String?
    var names: [String] = []
    var alertProgram: String?
    var signatures: SignatureTable
    var mapFile: String?
    var certificate: HubServerConfiguration.Certificate?
    /// The file with the key that seals bonds; `nil` for the one beside the database.
    var bondKey: String?
    /// The folder of the pages that need no hub.
    var browserPages: String?
    /// Whether browsers sign in although only this machine reaches the pages.
    var requiresLogin = false
    /// Proxies whose word for who has sent a request is taken.
    var proxies = ProxyTrust()
    /// Where the database is copied to now and then, if anywhere.
    var backups: Backups?

    /// Takes what is set.
    ///
    /// - Parameters:
    ///   - options: What stands behind options.
    ///   - environment: The environment.
    ///   - file: A file of JSON.
    /// - Throws: ``CommandError`` of wrong usage.
    init(
        options: [Key: String], environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String?
    ) async throws(CommandError) {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                name: "options",
                values: Dictionary(
                    uniqueKeysWithValues: options.map {
                        (AbsoluteConfigKey([$0.rawValue]), ConfigValue(.string($1), isSecret: false))
                    })),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "lantern"),
        ]
        if let file { providers.append(InMemoryProvider(name: file, values: try Self.values(inFile: file))) }
        let reader = ConfigReader(providers: providers)
        let text = { (key: Key) in reader.string(forKey: ConfigKey([key.rawValue])) }
        radio = text(.radio)
        database = text(.database)
        capture = text(.capture)
        alertProgram = text(.alertCommand)
        mapFile = text(.mapFile)
        bondKey = text(.bondKey)
        browserPages = text(.browserPages)
        signatures = try SignatureTable.given(text(.signatures))
        names = (text(.names) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        do throws(BadInput) {
            if let address = text(.listen) { listen = try ListenAddress(parsing: address) }
            if let place = text(.location) { location = try LocationSource(place) }
        } catch {
            throw .wrongUsage(error.description)
        }
        track = try Self.track(location, speed: text(.speed))
        if let word = text(.requireLogin) {
            guard let flag = Self.flags[word.lowercased()] else {
                throw .wrongUsage(
                    "require_login must be true or false, not \(PrintableText.quoted(word)).")
            }
            requiresLogin = flag
        }
        if let addresses = text(.trustedProxies) {
            guard let trust = ProxyTrust(addresses) else {
                throw .wrongUsage(
                    "--trusted-proxies takes addresses or networks, such as 127.0.0.1,10.1.0.0/16, not "
                        + "\(PrintableText.quoted(addresses)).")
            }
            proxies = trust
        }
        backups = try Self.backups(
            text(.backupFolder), hours: text(.backupHours), kept: text(.backupKeep))
        switch (text(.tlsCertificate), text(.tlsKey)) {
        case (let certificate?, let key?): self.certificate = .init(certificate: certificate, key: key)
        case (nil, nil): break
        default: throw .wrongUsage("A certificate and its key go together: --tls-certificate and --tls-key.")
        }
        if let alertProgram, let fault = AlertProgram.fault(at: alertProgram) {
            throw .wrongUsage(
                "\(alertProgram.shortenedPath) cannot be run for alerts: \(fault). Name a program by its "
                    + "path.")
        }
    }

    /// What may be a number in a file.
    private static let numbers = [Key.backupHours.rawValue, Key.backupKeep.rawValue]
    private static let flags = [
        "true": true, "1": true, "yes": true, "false": false, "0": false, "no": false,
    ]

    private static func backups(
        _ folder: String?, hours: String?, kept: String?
    ) throws(CommandError) -> Backups? {
        guard let folder else {
            guard hours == nil, kept == nil else {
                throw .wrongUsage("Say where the copies of the database go: --backup-folder FOLDER.")
            }
            return nil
        }
        guard !folder.isEmpty else { throw .wrongUsage("--backup-folder needs the name of a folder.") }
        func number(_ text: String?, _ usual: Int, _ range: ClosedRange<Int>, _ option: String)
            throws(CommandError) -> Int
        {
            guard let number = text.map({ Int($0) }) ?? usual, range.contains(number) else {
                throw .wrongUsage("\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
        return Backups(
            folder: folder,
            hours: try number(hours, Backups.usual.hours, Backups.limits.hours, "--backup-hours"),
            kept: try number(kept, Backups.usual.kept, Backups.limits.kept, "--backup-keep"))
    }

    /// Reads the track that is to be played, if one is.
    private static func track(
        _ location: LocationSource?, speed text: String?
    ) throws(CommandError) -> (GPXTrack, Double)? {
        guard case .track(let path)? = location else {
            guard text == nil else {
                throw .wrongUsage("--speed needs a track to play: add --location gpx:FILE.")
            }
            return nil
        }
        guard let speed = text.map({ Double($0) }) ?? 1, LocationOptions.speeds.contains(speed) else {
            throw .wrongUsage("--speed takes a number from 0.01 to 10000.")
        }
        return (try LocationOptions.track(path), speed)
    }

    /// Reads a file, and refuses names that mean nothing: a slip in writing must not go unnoticed.
    private static func values(inFile path: String) throws(CommandError) -> [AbsoluteConfigKey: ConfigValue] {
        do {
            let node = try JSONReader.read(try InputFile.contents(of: path, atMost: 65_536))
            try node.allow(only: Key.allCases.map(\.rawValue))
            guard case .object(let members) = node.value else { return [:] }
            var values: [AbsoluteConfigKey: ConfigValue] = [:]
            for member in members {
                let text =
                    switch member.node.value {
                    case .bool(let flag) where member.key == Key.requireLogin.rawValue: "\(flag)"
                    case .number(let number) where numbers.contains(member.key):
                        Int(exactly: number).map { "\($0)" } ?? "\(number)"
                    default: try member.node.text("\"\(member.key)\"")
                    }
                let key = AbsoluteConfigKey([member.key])
                guard values[key] == nil else { throw member.node.fault("\"\(member.key)\" appears twice") }
                values[key] = ConfigValue(.string(text), isSecret: false)
            }
            return values
        } catch let fault as JSONDecodingError {
            throw .wrongUsage("\(path.shortenedPath), \(fault.place): \(fault.reason).")
        } catch let error as CommandError {
            throw error
        } catch {
            throw .wrongUsage("\(path.shortenedPath) cannot be read: \(error).")
        }
    }
}
