// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEHostDriver
import BLESystemRadio
import BLEWire
import BluetoothLE
import BondSealing
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionHub
import CompanionText
import RadioChoosing

/// `lantern bonds`: the devices that keys are kept of.
struct BondsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bonds",
        abstract: "List and forget the devices that this computer has paired with.",
        discussion: """
            Keys are kept for each adapter separately. A running command notices with its next link what another one has \
            added or removed.

            BlueZ keeps keys of its own: choose them with --radio bluez. Without --radio, list shows both, and the other \
            commands work on the keys that this program keeps. A hub keeps its own, too: list --database FILE shows \
            them, and the hub's page Settings, Pairing forgets them.
            """,
        subcommands: [BondsListCommand.self, BondsShowCommand.self, BondsRemoveCommand.self],
        defaultSubcommand: BondsListCommand.self)
}

extension BondKept {
    /// Describes a bond.
    init(_ adapter: BluetoothAddress, _ kept: KeptBond) {
        self.init(
            Peer(kept.identity), of: Peer(adapter), ProtectionJSON(LinkSecurity(kept.bond.security)),
            hasChangingAddress: kept.bond.identity?.resolvingKey != nil)
    }
}

extension BondKept {
    /// Describes a bond that a radio keeps.
    ///
    /// - Parameter kept: The bond.
    /// - Throws: ``CommandError`` when it is not known whose it is.
    init(_ kept: BondedPeer) throws(CommandError) {
        guard let adapter = kept.adapter else { throw .failed("This radio does not say its own address.") }
        self.init(
            kept.peer, of: Peer(adapter), ProtectionJSON(kept.security),
            hasChangingAddress: kept.hasChangingAddress,
            // Ours know.
            keptBy: kept.hasChangingAddress == nil ? .bluez : .lantern)
    }
}

/// Who keeps the bonds that a command is about.
struct BondKeeperOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The radio that keeps them: bluez keeps its own.", valueName: "radio"),
        completion: .radios)
    var radio: String?

    /// Opens the radio that was named, or does something else where none was.
    ///
    /// - Parameters:
    ///   - body: Uses the radio.
    ///   - otherwise: What is done without one.
    /// - Throws: What opening the radio and the bodies throw.
    func use(
        _ body: @Sendable (Radio) async throws -> Void, otherwise: () async throws -> Void
    ) async throws {
        guard let radio else { return try await otherwise() }
        try await RadioOptions.parse(["--radio", radio]).use(body)
    }
}

/// `lantern bonds list`: all of them.
struct BondsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices whose keys are kept.")

    @OptionGroup var keeper: BondKeeperOptions

    @Option(
        help: ArgumentHelp("The database of a hub: list what that hub keeps.", valueName: "file"),
        completion: .file())
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Where the key of the hub's bonds is: a file, or keyring (default: beside the database).",
            valueName: "file|keyring"),
        completion: .file())
    var bondKey: String?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        try DatabaseOptions.check(database)
        guard database == nil || keeper.radio == nil else {
            throw ValidationError(
                "--database is about a hub and --radio about a radio: give only one of them.")
        }
        guard database != nil || bondKey == nil else {
            throw ValidationError("--bond-key needs --database.")
        }
    }

    func run() async throws {
        if let database { return try await perform(hub: database, to: .standard()) }
        try await keeper.use { radio in
            try await perform(on: radio, to: .standard())
        } otherwise: {
            try await perform(BondFolder.store, system: await Self.systemBonds(), to: .standard())
        }
    }

    /// The bonds that BlueZ keeps, of each adapter that it has switched on; none where it does not answer.
    private static func systemBonds() async -> [BondedPeer] {
        var bonds: [BondedPeer] = []
        for adapter in await SystemAdapter.all() where adapter.obstacle == nil {
            guard let choice = try? RadioChoice(adapter.radio),
                let radio = try? await choice.open(devices: { [] })
            else { continue }
            bonds += (try? await radio.bonds()) ?? []
            await radio.close()
        }
        return bonds
    }

    /// Prints the bonds of a folder, and then those that the system keeps.
    func perform(_ store: FileBondStore, system: [BondedPeer] = [], to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let bonds = try await BondFolder.bonds(in: store)
        for bond in bonds.map({ BondKept($0.adapter, $0.bond) }) + system.compactMap({ try? BondKept($0) }) {
            try printer.show(bond) { _ in [StyledText(bond.line.text)] }
        }
        guard bonds.isEmpty, system.isEmpty else { return }
        throw CommandError.nothingFound(
            "No command on this computer has paired with a device: pair with lantern pair ADDRESS. A hub's devices are in lantern bonds list --database FILE."
        )
    }

    /// Prints the bonds that a hub keeps, which may be running.
    private func perform(hub path: String, to output: Output) async throws {
        let store = try DatabaseOptions.parse(["--database", path]).openForReading()
        let key = bondKey ?? HubProcess.bondKey(of: path)
        let bonds = HubProcess.bonds(in: store, key: key, makesKey: false)
        let (entries, unreadable): ([HubBondEntry], Int)
        do throws(BondStoreError) {
            (entries, unreadable) = try await bonds.all()
        } catch {
            throw CommandError.failed(error.description)
        }
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        for bond in entries.map({ BondKept($0.adapter, $0.bond) }) {
            try printer.show(bond) { _ in [StyledText(bond.line.text)] }
        }
        guard unreadable == 0 else {
            throw CommandError.failed(
                bonds.fault ?? "The keys of \(unreadable) devices cannot be read: somebody has changed them.")
        }
        guard entries.isEmpty else { return }
        throw CommandError.nothingFound("This hub has not paired with a device: pair with one on its pages.")
    }

    /// Prints the bonds that a radio keeps.
    func perform(on radio: Radio, to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let bonds = try await radio.bonds()
        for kept in bonds {
            let bond = try BondKept(kept)
            try printer.show(bond) { _ in [StyledText(bond.line.text)] }
        }
        if bonds.isEmpty {
            throw CommandError.nothingFound(
                "This radio has not paired with a device: pair with lantern pair ADDRESS.")
        }
    }
}

/// `lantern bonds show`: one of them.
struct BondsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is kept about a device; never the keys.")

    @Argument(help: ArgumentHelp("The device, as AA:BB:CC:DD:EE:FF.", valueName: "address"))
    var address: DeviceAddress

    @OptionGroup var keeper: BondKeeperOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        try await keeper.use { radio in
            try await perform(on: radio, to: .standard())
        } otherwise: {
            try await perform(BondFolder.store, to: .standard())
        }
    }

    /// Prints the bonds of a device.
    func perform(_ store: FileBondStore, to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let bonds = try await BondFolder.bonds(in: store, of: address)
        for (adapter, kept) in bonds {
            let bond = BondKept(adapter, kept)
            let count = kept.client?.subscriptions.count ?? 0
            try printer.show(bond) { _ in
                [
                    StyledText(bond.line.text),
                    StyledText(
                        "Its address \(bond.hasChangingAddress == true ? "may change" : "stays the same")."),
                    StyledText("It subscribes to \(count) characteristics of this computer."),
                ]
            }
        }
        if bonds.isEmpty { throw BondFolder.nothing(of: address) }
    }

    /// Prints what a radio keeps of a device.
    func perform(on radio: Radio, to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let bonds = try await radio.bonds().filter { address.matches($0.peer) }
        for kept in bonds {
            let bond = try BondKept(kept)
            try printer.show(bond) { _ in [StyledText(bond.line.text)] }
        }
        if bonds.isEmpty { throw BondFolder.nothing(of: address) }
    }
}

/// `lantern bonds remove`: forgets one.
struct BondsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget the keys of a device.")

    @Argument(help: ArgumentHelp("The device, as AA:BB:CC:DD:EE:FF.", valueName: "address"))
    var address: DeviceAddress

    @OptionGroup var keeper: BondKeeperOptions
    @OptionGroup var format: FormatOptions

    func run() async throws {
        try await keeper.use { radio in
            try await perform(on: radio, to: .standard())
        } otherwise: {
            try await perform(BondFolder.store, to: .standard())
        }
    }

    /// Forgets the bonds of a device.
    func perform(_ store: FileBondStore, to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let bonds = try await BondFolder.bonds(in: store, of: address)
        for (adapter, kept) in bonds {
            do throws(BondStoreError) {
                _ = try await store.remove(kept.identity, of: adapter)
            } catch {
                throw CommandError.failed(error.description)
            }
            let removed = BondRemoved(Peer(kept.identity), of: Peer(adapter))
            try printer.show(removed) { _ in [StyledText(removed.line.text)] }
        }
        if bonds.isEmpty { throw BondFolder.nothing(of: address) }
    }
    /// Has a radio forget a device.
    func perform(on radio: Radio, to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        let bonds = try await radio.bonds().filter { address.matches($0.peer) }
        for kept in bonds {
            let adapter = try BondKept(kept).adapter
            _ = try await radio.removeBond(of: kept.peer)
            let removed = BondRemoved(kept.peer, of: adapter)
            try printer.show(removed) { _ in [StyledText(removed.line.text)] }
        }
        if bonds.isEmpty { throw BondFolder.nothing(of: address) }
    }
}
