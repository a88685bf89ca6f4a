// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESimulation
import BLETransport
import BLEVirtualRadio
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import NightlightDevices
import SimulatedDevices

/// The simulated devices that a person wants.
struct DeviceSelection: ExpressibleByArgument, Hashable {
    /// Their kinds, each once.
    let kinds: [String]

    /// All that there are.
    static let all = SimulatedDevices.kinds + SimulatedDevices.others

    init?(argument: String) {
        guard argument != "none" else {
            kinds = []
            return
        }
        var kinds: [String] = []
        for name in argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard name == "all" || Self.all.contains(name) else { return nil }
            for kind in name == "all" ? Self.all : [name] where !kinds.contains(kind) {
                kinds.append(kind)
            }
        }
        self.kinds = kinds
    }

    static var defaultCompletionKind: CompletionKind { .commaSeparated(allValueStrings) }

    static var allValueStrings: [String] { ["all", "none"] + all }
}

/// `lantern radio serve`: the virtual air over TCP.
struct RadioServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Offer a virtual radio on TCP ports, to which any HCI host can attach.",
        discussion: """
            The controllers share one air, in one place unless --at says otherwise, and hear each other. Each \
            speaks HCI (H4) on a port of its own: P, P+1, …. One host at a time can use a port; another waits \
            until it has gone. When a host vanishes, its links are dropped, and the next one finds a \
            controller that has been reset.

            At one metre a signal is heard at -40 dBm; ten times the distance costs 20 dB (with \
            --path-loss 2), and below -100 dBm nothing is heard: beyond 1,000 m in the open. A link out of range \
            ends by its supervision timeout.

              lantern radio serve --port 9000 --devices flockfinder
              lantern scan --radio tcp:127.0.0.1:9000
              lantern radio serve --port 9000 --devices all --at 2=30,0 --latency 5-20 --loss 0.05

            Devices: \(DeviceSelection.all.joined(separator: ", ")), or all of them with `all`.
            """)

    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp("The first port; with 0 each controller takes any free one.", valueName: "port"))
    var port: Int

    @Option(help: ArgumentHelp("How many controllers there are.", valueName: "count"))
    var controllers = 2

    @Option(
        help: ArgumentHelp(
            "Simulated devices on the air: all, none, or names separated by commas.", valueName: "names"))
    var devices: DeviceSelection?

    @Option(
        help: ArgumentHelp(
            "What the controllers can do: extended (Bluetooth 5.4) or legacy (Bluetooth 4.2).",
            valueName: "set"))
    var features = ControllerFeatures.extended

    @OptionGroup(title: "The air") var air: AirOptions

    @Flag(
        help: """
            Read lines from standard input that change the air: move WHO X,Y and loss P.
            """)
    var control = false

    @Option(
        help: ArgumentHelp(
            "The address to listen at. At any but 127.0.0.1, anybody who can reach it may attach.",
            valueName: "host"
        ))
    var host = "127.0.0.1"

    func validate() throws {
        guard (1...64).contains(controllers) else {
            throw ValidationError("There can be 1 to 64 controllers, not \(controllers).")
        }
        guard (0...65535).contains(port), port == 0 || port + controllers - 1 <= 65535 else {
            throw ValidationError("Choose a --port from 0 to \(65536 - controllers).")
        }
        try air.checkPlaces(controllers: controllers, kinds: devices?.kinds ?? [])
    }

    func run() async throws {
        // The air goes on when nobody reads what it says.
        try await Output.standard().withoutWaiting(isJSON: format.isJSON) { output in
            try await serve(EventPrinter(to: output, isJSON: format.isJSON))
        }
    }

    private func serve(_ printer: EventPrinter) async throws {
        let radio = VirtualRadio(air.configuration, on: try RadioOptions.makeLoop())
        let kinds = devices?.kinds ?? []
        let listeners = try await listen(on: radio.loop)
        let deviceIDs = await radio.add { [seed = air.seed] in
            let clock = HostClock.reading()
            return kinds.compactMap {
                SimulatedDevices.make($0, seed: seed, clock: clock) ?? SimulatedDevices.makeOther($0)
            }
        }
        var places = AirControl.Places()
        for (kind, id) in zip(kinds, deviceIDs) {
            places[.device(kind)] = id
            if let position = air.position(of: .device(kind)) { await radio.move(id, to: position) }
        }
        let ids = await addControllers(listeners.count, to: radio)
        for (index, id) in ids.enumerated() { places[.controller(index + 1)] = id }
        let reader = control ? AirControl.start(on: radio, places) : nil
        await withTaskGroup(of: Void.self) { group in
            for (index, listener) in listeners.enumerated() {
                let number = index + 1
                // The radio goes on when nobody reads what it says.
                try? printer.show(
                    ControllerListening(
                        number, host: host, port: listener.port, Peer(Self.address(of: number))))
                let server = ControllerServer(ids[index], of: radio, on: listener)
                group.addTask { await server.run { printer.show($0, of: number) } }
            }
            for kind in kinds { try? printer.show(SimulatedDeviceAdded(kind)) }
            try? printer.show(RadioReady())
        }
        reader?.cancel()
        await withoutCancellation { await Self.close(listeners) }
    }

    /// The public address of a controller.
    static func address(of number: Int) -> BluetoothAddress {
        BluetoothAddress(0x00AA_0200_0000 + UInt64(number), kind: .public)
    }

    private func addControllers(_ count: Int, to radio: VirtualRadio) async -> [VirtualAir.ControllerID] {
        var ids: [VirtualAir.ControllerID] = []
        for number in 1...count {
            var configuration = VirtualAir.ControllerConfiguration(address: Self.address(of: number))
            configuration.generation = features.generation
            configuration.position = air.position(of: .controller(number)) ?? configuration.position
            ids.append(await radio.addController(configuration))
        }
        return ids
    }

    /// Listens at every port, or at none.
    private func listen(on loop: TransportLoop) async throws -> [TCPListener] {
        var listeners: [TCPListener] = []
        for index in 0..<controllers {
            let wanted = port == 0 ? 0 : port + index
            do throws(TransportError) {
                listeners.append(try await TCPListener.bind(host: host, port: wanted, on: loop))
            } catch {
                await Self.close(listeners)
                let why = if case .cannotOpen(let why) = error { why } else { error.description }
                throw CommandError.failed("The radio \(why). Choose another --port or --host.")
            }
        }
        return listeners
    }

    private static func close(_ listeners: [TCPListener]) async {
        for listener in listeners { await listener.close() }
    }
}

extension EventPrinter {
    /// Prints that a host has come or gone.
    fileprivate func show(_ event: ControllerServer.Event, of controller: Int) {
        // The radio goes on when nobody reads what it says.
        switch event {
        case .attached(let origin): try? show(HostAttached(controller, from: origin))
        case .detached(let departure): try? show(HostDetached(controller, departure.reason))
        }
    }
}

extension ControllerServer.Departure {
    fileprivate var reason: HostDetached.Reason {
        switch self {
        case .left: .left
        case .cutOff: .cutOff
        case .ended: .ended
        }
    }
}
