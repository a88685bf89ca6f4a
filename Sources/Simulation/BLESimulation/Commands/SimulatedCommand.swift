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
            guard let command = Self.commands[opcode] else {
                send(
                    .commandStatus(.init(status: .unknownCommand, commandPackets: 1, opcode: opcode)),
                    to: controller)
                return
            }
            run(command, parameters, on: controller)
        case .acl(let data): receive(data, on: controller)
        // These have no synchronous or isochronous links, and hosts send no events.
        case .synchronous, .isochronous, .event: break
        }
    }

    private func run<Command: SimulatedCommand>(
        _ type: Command.Type, _ octets: [UInt8], on controller: Controller
    ) {
        var status = HCI.Status.success
        var octetsOfReply: [UInt8]
        if let command = try? Command(octets: octets) {
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

    /// The commands that the controllers know.
    private static let commands: [HCI.Opcode: any SimulatedCommand.Type] = {
        var table: [HCI.Opcode: any SimulatedCommand.Type] = [:]
        for command in list { table[command.opcode] = command }
        return table
    }()

    private static let list: [any SimulatedCommand.Type] = [
        HCI.Disconnect.self, HCI.ReadRemoteVersionInformation.self, HCI.SetEventMask.self, HCI.Reset.self,
        HCI.ReadLocalVersionInformation.self, HCI.ReadLocalSupportedCommands.self,
        HCI.ReadLocalSupportedFeatures.self, HCI.ReadBufferSize.self, HCI.ReadBDADDR.self, HCI.ReadRSSI.self,
        HCI.LESetEventMask.self, HCI.LEReadBufferSize.self, HCI.LEReadLocalSupportedFeatures.self,
        HCI.LESetRandomAddress.self, HCI.LERand.self, HCI.LESetAdvertisingParameters.self,
        HCI.LEReadAdvertisingPhysicalChannelTxPower.self, HCI.LESetAdvertisingData.self,
        HCI.LESetScanResponseData.self, HCI.LESetAdvertisingEnable.self, HCI.LESetScanParameters.self,
        HCI.LESetScanEnable.self, HCI.LECreateConnection.self, HCI.LECreateConnectionCancel.self,
        HCI.LEReadFilterAcceptListSize.self, HCI.LEClearFilterAcceptList.self,
        HCI.LEAddDeviceToFilterAcceptList.self, HCI.LERemoveDeviceFromFilterAcceptList.self,
        HCI.LEConnectionUpdate.self, HCI.LEReadRemoteFeatures.self,
        HCI.LERemoteConnectionParameterRequestReply.self,
        HCI.LERemoteConnectionParameterRequestNegativeReply.self, HCI.LESetDataLength.self,
        HCI.LEReadSuggestedDefaultDataLength.self, HCI.LEWriteSuggestedDefaultDataLength.self,
        HCI.LEReadMaximumDataLength.self,
    ]

    /// What Read Local Supported Commands says.
    static var supportedCommands: HCI.SupportedCommands {
        var supported = HCI.SupportedCommands()
        for command in list { supported.insert(command.opcode) }
        return supported
    }
}
