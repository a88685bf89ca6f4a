// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import BLETransport
import BluetoothLE
import BondSealing
import DBus
import Foundation

/// The key that seals a hub's bonds, in the keyring of the user who runs the hub: GNOME Keyring, KWallet, KeePassXC.
///
/// There is one for all hubs of a user. It goes over the user's own bus as it is, as the secrets of all programs do that
/// have not agreed on a key with the keyring.
///
/// Spec: freedesktop.org, Secret Service API Draft 0.2.
struct BondKeyring: BondKeySource {
    /// The word that names it where a file is named otherwise.
    static let word = "keyring"
    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret"
    /// By what the key is found again.
    private static let attributes = DBusValue.dictionary(
        [
            .string("xdg:schema"): .string("org.lantern.BondKey"), .string("application"): .string("lantern"),
        ], key: "s", value: "s")
    /// No object: of a prompt, that none is needed.
    private static let none = "/"
    /// How long the keyring has for each answer.
    private static let patience = Duration.seconds(10)

    let name = "The key in the keyring"

    /// The bus of the user who runs this.
    private static var bus: String {
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        return "unix:path=\(environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())")/bus"
    }

    func key(mayMake: Bool) async throws(BondStoreError) -> [UInt8] {
        do {
            let bus = try DBusConnection.open(Self.bus, on: try TransportLoop())
            defer { bus.close() }
            let opened = try await Self.call(
                bus, Self.root, "Service", "OpenSession", [.string("plain"), .variant(.string(""))])
            guard opened.count == 2, let session = opened[1].string else { throw Self.unexpected }
            if let item = try await find(on: bus) { return try await secret(of: item, session, on: bus) }
            // What is in a keyring that is locked may not be found.
            let collection = try await openCollection(on: bus)
            if let item = try await find(on: bus) { return try await secret(of: item, session, on: bus) }
            guard mayMake else {
                throw BondStoreError(
                    "\(name) is missing, so the keys of bonded devices cannot be read. Put it back, or remove those bonds and pair again."
                )
            }
            try await make(in: collection, session, on: bus)
            guard let item = try await find(on: bus) else { throw Self.unexpected }
            return try await secret(of: item, session, on: bus)
        } catch let error as BondStoreError {
            throw error
        } catch {
            throw BondStoreError(
                "The keyring cannot be used: \(error). Start one, for example by signing in, or name a file with --bond-key FILE."
            )
        }
    }

    private static var unexpected: DBusError { .malformed("it does not answer as a keyring does") }

    private static func call(
        _ bus: DBusConnection, _ path: String, _ part: String, _ method: String, _ arguments: [DBusValue]
    ) async throws(DBusError) -> [DBusValue] {
        try await bus.call(
            DBusCall(service, path, "\(interface).\(part)", method, arguments), timeout: patience)
    }

    /// The keyring that new things go to, unlocked.
    private func openCollection(on bus: DBusConnection) async throws -> String {
        let alias = try await Self.call(bus, Self.root, "Service", "ReadAlias", [.string("default")])
        guard let collection = alias.first?.string, collection != Self.none else {
            throw BondStoreError(
                "There is no default keyring. Make one, for example by signing in, or name a file with --bond-key FILE."
            )
        }
        try await unlock(collection, on: bus)
        return collection
    }

    /// The item with the key, unlocked; `nil` when there is none.
    private func find(on bus: DBusConnection) async throws -> String? {
        let found = try await Self.call(bus, Self.root, "Service", "SearchItems", [Self.attributes])
        guard found.count == 2, let open = found[0].strings, let locked = found[1].strings else {
            throw Self.unexpected
        }
        if let item = open.first { return item }
        guard let item = locked.first else { return nil }
        try await unlock(item, on: bus)
        return item
    }

    /// Unlocks what needs no person for that: nobody sits in front of a hub.
    private func unlock(_ path: String, on bus: DBusConnection) async throws {
        let answer = try await Self.call(
            bus, Self.root, "Service", "Unlock", [.array([.path(path)], of: "o")])
        guard answer.count == 2, let unlocked = answer[0].strings, let prompt = answer[1].string else {
            throw Self.unexpected
        }
        if unlocked.contains(path) { return }
        // It is not to wait for somebody in vain.
        if prompt != Self.none { _ = try? await Self.call(bus, prompt, "Prompt", "Dismiss", []) }
        throw BondStoreError(
            "The keyring is locked. Unlock it, for example by signing in with a password, then look at the hub's page Settings, Pairing."
        )
    }

    private func secret(of item: String, _ session: String, on bus: DBusConnection) async throws -> [UInt8] {
        let answer = try await Self.call(bus, item, "Item", "GetSecret", [.path(session)])
        guard case .structure(let fields)? = answer.first, fields.count == 4, var text = fields[2].octets
        else { throw Self.unexpected }
        defer { BondText.wipe(&text) }
        guard let key = BondKeyText.key(text) else {
            throw BondStoreError(
                "\(name) is not a key of Lantern, which has 64 hexadecimal digits. Put the right one back.")
        }
        return key
    }

    private func make(in collection: String, _ session: String, on bus: DBusConnection) async throws {
        var text = BondKeyText.make()
        defer { BondText.wipe(&text) }
        let properties = DBusValue.options([
            "\(Self.interface).Item.Label": .string("Lantern: seals the keys of paired devices"),
            "\(Self.interface).Item.Attributes": Self.attributes,
        ])
        let secret = DBusValue.structure([
            .path(session), .octets([]), .octets(text), .string("text/plain"),
        ])
        let made = try await Self.call(
            bus, collection, "Collection", "CreateItem", [properties, secret, .bool(false)])
        guard made.count == 2, made[1].string == Self.none else {
            throw BondStoreError(
                "The keyring asks for a password before it keeps anything. Unlock it, then try again.")
        }
    }
}
#endif
