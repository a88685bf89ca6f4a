// SPDX-License-Identifier: Apache-2.0

import BLEHCI
import BLEWire

/// A command that the controllers know.
protocol SimulatedCommand: HCI.Command {
    /// Carries the command out.
    ///
    /// - Throws: The status to refuse it with.
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters
    /// What a refusal brings back behind the status.
    var refusal: [UInt8] { get }
    /// The family of commands that it excludes the other of; `nil` when it goes with both.
    static var advertisingCommands: Controller.AdvertisingCommands? { get }
    /// Whether there is an answer when nothing is wrong.
    static var isAnswered: Bool { get }
}

/// A command about one link; a refusal names the link, too.
///
/// Spec: Core v5.4, Vol 4, Part E, 4.5.
protocol SimulatedLinkCommand: SimulatedCommand {
    var handle: ConnectionHandle { get }
    func run(on side: LinkSide, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters
}

extension SimulatedCommand {
    var refusal: [UInt8] { [] }
    static var advertisingCommands: Controller.AdvertisingCommands? { nil }
    static var isAnswered: Bool { true }
}

extension SimulatedLinkCommand {
    func run(on controller: Controller, in air: VirtualAir) throws(HCI.Status) -> ReturnParameters {
        guard let side = controller.side(handle) else { throw .unknownConnectionIdentifier }
        return try run(on: side, in: air)
    }

    var refusal: [UInt8] {
        Self.completesWithStatus ? [] : [UInt8(handle.rawValue & 0xFF), UInt8(handle.rawValue >> 8)]
    }
}

extension VirtualAir {
    /// Takes a packet from a host.
    func receive(_ packet: HCI.Packet, on controller: Controller) {
        switch packet {
        case .command(let opcode, let parameters):
            guard let run = Self.commands(of: controller.configuration.generation)[opcode] else {
                send(
                    .commandStatus(.init(status: .unknownCommand, commandPackets: 1, opcode: opcode)),
                    to: controller)
                return
            }
            run(self, parameters, controller)
        case .acl(let data): receive(data, on: controller)
        // These have no synchronous or isochronous links, and hosts send no events.
        case .synchronous, .isochronous, .event: break
        }
    }

    func run<Command: SimulatedCommand>(
        _ type: Command.Type, _ octets: [UInt8], on controller: Controller
    ) {
        var status = HCI.Status.success
        var octetsOfReply: [UInt8]
        if !controller.mayUse(Command.advertisingCommands) {
            status = .commandDisallowed
            octetsOfReply = [status.rawValue]
        } else if let command = try? Command(octets: octets) {
            do throws(HCI.Status) {
                octetsOfReply = Command.encodeReturn(try command.run(on: controller, in: self))
            } catch {
                status = error
                octetsOfReply = [error.rawValue] + command.refusal
            }
        } else {
            status = .invalidHCICommandParameters
            octetsOfReply = [status.rawValue]
        }
        if status == .success, !Command.isAnswered { return }
        if Command.completesWithStatus {
            send(
                .commandStatus(.init(status: status, commandPackets: 1, opcode: Command.opcode)),
                to: controller)
        } else {
            send(
                .commandComplete(
                    .init(commandPackets: 1, opcode: Command.opcode, returnParameters: octetsOfReply)),
                to: controller)
        }
        for event in controller.followUps { send(event, to: controller) }
        controller.followUps = []
    }

    /// The commands that a controller knows.
    private static func commands(of generation: Generation) -> [HCI.Opcode: CommandTable.Run] {
        generation == .extended ? extendedCommands.runs : legacyCommands.runs
    }

    /// What Read Local Supported Commands says.
    static func supportedCommands(of generation: Generation) -> HCI.SupportedCommands {
        var supported = HCI.SupportedCommands()
        for opcode in commands(of: generation).keys { supported.insert(opcode) }
        return supported
    }
}

extension Controller {
    /// Whether a family of commands may be used; the first that is used excludes the other.
    fileprivate func mayUse(_ family: AdvertisingCommands?) -> Bool {
        guard let family else { return true }
        let first = state.advertisingCommands ?? family
        state.advertisingCommands = first
        return first == family
    }
}
