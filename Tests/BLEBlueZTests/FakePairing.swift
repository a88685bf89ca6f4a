// SPDX-License-Identifier: Apache-2.0

import DBus
import Synchronization

@testable import BLEBlueZ

/// What bluetoothd knows of agents and pairing.
struct FakePairing {
    struct Agent {
        let owner: String
        let path: String
        let ability: String
    }

    /// Its clients' agents, in the order in which they came; one that goes is forgotten.
    var agents: [Agent] = []
    /// Who has asked to be asked about everything.
    var defaults: [String] = []
    /// Calls of Pair that wait.
    var pairs: [DBusRequest] = []
    /// How often Pair was called.
    var pairCount = 0
    /// How often CancelPairing was called.
    var cancelCount = 0
    /// The devices that it was told to forget.
    var removed: [String] = []
    /// How Pair is refused at once.
    var refusal: String?
    /// Whether values are given over links alone that are paired.
    var wantsPairing = false
}

extension FakeBlueZ {
    static let service = device + "/service000a"
    static let secret = service + "/char000b"

    var pairing: FakePairing { known.withLock { $0.pairing } }

    func handlePairing(_ request: DBusRequest) {
        let argument = request.arguments.first?.string ?? ""
        switch request.method {
        case "RegisterAgent":
            let ability = request.arguments[1].string ?? ""
            let agent = FakePairing.Agent(owner: request.sender, path: argument, ability: ability)
            known.withLock { $0.pairing.agents.append(agent) }
            request.answer()
        case "RequestDefaultAgent":
            known.withLock { $0.pairing.defaults.append(request.sender) }
            request.answer()
        case "Pair":
            let refusal = known.withLock { known in
                known.pairing.pairCount += 1
                if known.pairing.refusal == nil { known.pairing.pairs.append(request) }
                return known.pairing.refusal
            }
            if let refusal { request.refuse("org.bluez.Error." + refusal) }
        case "CancelPairing":
            known.withLock { $0.pairing.cancelCount += 1 }
            request.answer()
            endPairing("AuthenticationCanceled")
        case "RemoveDevice":
            known.withLock { $0.pairing.removed.append(argument) }
            request.answer()
            vanish(argument)
        case "ReadValue" where pairing.wantsPairing:
            request.refuse("org.bluez.Error.NotPermitted", "Not paired")
        case "ReadValue": request.answer([.octets([42])])
        default: request.answer()
        }
    }

    /// As bluetoothd does, an agent is forgotten when the connection that has it is gone.
    func forgetAgentsOfWhoGoes() {
        bus.handleSignals("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'") {
            [weak self] signal in
            guard let values = try? signal.get().arguments, values.count == 3, values[2].string == "" else {
                return
            }
            self?.known.withLock { known in
                known.pairing.agents.removeAll { $0.owner == values[0].string }
                known.pairing.defaults.removeAll { $0 == values[0].string }
            }
        }
    }

    /// Answers the Pair that waits: the device is paired, or an error.
    func endPairing(_ error: String? = nil, bonds: Bool = true) {
        let requests = known.withLock { known in
            defer { known.pairing.pairs = [] }
            if error == nil { known.pairing.wantsPairing = false }
            return known.pairing.pairs
        }
        if error == nil {
            change(["Paired": .bool(true), "Bonded": .bool(bonds)], of: Self.device, BlueZ.device)
        }
        for request in requests {
            if let error { request.refuse("org.bluez.Error." + error) } else { request.answer() }
        }
    }

    /// Calls a method of the agent that came last, as bluetoothd does.
    func askAgent(
        _ method: String, _ arguments: [DBusValue] = [], of device: String? = FakeBlueZ.device
    ) async throws -> [DBusValue] {
        guard let agent = pairing.agents.last else { throw NoObject() }
        let path = device.map { [DBusValue.path($0)] } ?? []
        return try await bus.call(
            DBusCall(agent.owner, agent.path, BlueZ.agent, method, path + arguments), timeout: .seconds(60))
    }

    /// An object is there no more.
    func vanish(_ path: String) {
        bus.emit(
            DBusSignal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager", name: "InterfacesRemoved",
                arguments: [.path(path), .array([.string(BlueZ.device)], of: "s")]))
    }

    /// The device has one value.
    func offerSecret() {
        for (path, interface, properties) in [
            (Self.service, BlueZ.gattService, ["UUID": .string("fff0"), "Primary": .bool(true)]),
            (
                Self.secret, BlueZ.characteristic,
                ["UUID": .string("fff2"), "Flags": .array([.string("read")], of: "s")]
            ),
        ] as [(String, String, [String: DBusValue])] {
            bus.emit(
                DBusSignal(
                    path: "/", interface: "org.freedesktop.DBus.ObjectManager", name: "InterfacesAdded",
                    arguments: [
                        .path(path),
                        .dictionary([.string(interface): .options(properties)], key: "s", value: "a{sv}"),
                    ]))
        }
    }
}
