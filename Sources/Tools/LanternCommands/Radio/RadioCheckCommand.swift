// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEAssignedNumbers
import BLEHCI
import BLEHost
import BLEHostDriver
import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText

/// `lantern radio check`: what a radio is, can and hears.
struct RadioCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Show what a radio is, what it can do and what it hears.",
        discussion: """
            Starts the radio, listens for a few seconds and says what the result means. A bug report about a radio \
            needs nothing else. Ends with status 2 when nothing is heard.
            """)

    @OptionGroup var radio: RadioOptions
    @OptionGroup var format: FormatOptions

    @Option(help: ArgumentHelp("How long to listen, in seconds.", valueName: "seconds"))
    var duration = Seconds(.seconds(5))

    func run() async throws {
        try await radio.useHost { host in try await perform(on: host, to: .standard()) }
    }

    /// Listens and prints what was found.
    func perform(on host: HostRadio, to output: Output) async throws {
        guard let controller = await host.controller else {
            throw CommandError.failed(
                "The radio stopped just after it was started. Pull it out, plug it in again, then try again.")
        }
        var check = RadioChecked(radio.radio ?? "hci")
        check.note(controller)
        do {
            check.note(try await listen(on: host.radio), for: duration.duration)
        } catch BluetoothError.refusedByRadio(let why) {
            check.scanRefusal = why
        }
        let found = check
        try EventPrinter(to: output, isJSON: format.isJSON).show(found) { _ in found.lines }
        if let why = found.scanRefusal { throw CommandError.failed("The radio refused: \(why).") }
        guard found.devices > 0 || Task.isCancelled else {
            throw CommandError.nothingFound("No device was heard: is one switched on and near?")
        }
    }

    private func listen(on radio: Radio) async throws -> Heard {
        try await TimeLimit.run(duration.duration, on: radio) {
            var heard = Heard()
            for try await report in try await radio.scan() { heard.note(report) }
            return heard
        }
    }

    /// What came in.
    struct Heard {
        var reports = 0
        var peers: Set<Peer> = []
        var strongest: Int?

        mutating func note(_ report: Advertisement) {
            reports += 1
            peers.insert(report.peer)
            if let rssi = report.rssi.map({ Int($0) }) { strongest = max(strongest ?? rssi, rssi) }
        }
    }
}

extension RadioChecked {
    /// Takes in what came in.
    fileprivate mutating func note(_ heard: RadioCheckCommand.Heard, for duration: Duration) {
        seconds = duration / .seconds(1)
        (reports, devices, strongest) = (heard.reports, heard.peers.count, heard.strongest)
    }

    /// Takes in what start-up has found out.
    mutating func note(_ controller: ControllerInformation) {
        if let numbers = controller.version {
            company = AssignedNumbers.name(ofCompany: numbers.companyIdentifier)
            companyNumber = Int(numbers.companyIdentifier)
            version = Self.version(numbers.hciVersion)
            revision = Int(numbers.hciSubversion)
            subversion = Int(numbers.lmpSubversion)
        }
        publicAddress = controller.publicAddress?.description
        ownAddress = controller.ownAddress.map { "\($0)/\($0.kind == .random ? "R" : "P")" }
        isDualMode = controller.isDualMode
        isExtended = controller.usesExtendedCommands
        hasDataLength = controller.features.contains(.dataPacketLengthExtension)
        features = controller.features.names
        featureOctets = (0..<8).map { UInt8(truncatingIfNeeded: controller.features.rawValue >> (8 * $0)) }
        commandOctets = controller.supportedCommands?.bits
        missingCommands = controller.missingCommands.map(\.description)
        refusals = controller.refusals.map {
            Refusal($0.opcode.description, $0.status?.description ?? "its answer makes no sense")
        }
        (bufferLength, buffers) = (controller.aclDataLength, controller.aclDataPackets)
        sharesBuffers = controller.sharesDataBuffers
        acceptListSize = controller.filterAcceptListSize
        advertisingLength = controller.maximumAdvertisingDataLength
    }

    /// The version of Bluetooth, as people write it.
    ///
    /// Spec: Assigned Numbers, 2.1.
    private static func version(_ number: UInt8) -> String {
        let names = [
            "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4",
            "6.0", "6.1",
        ]
        return Int(number) < names.count ? names[Int(number)] : "of number \(number)"
    }
}

extension ControllerInformation {
    /// Commands that a host here needs sooner or later, and that the controller says it does not know.
    var missingCommands: [HCI.Opcode] {
        guard let supportedCommands else { return [] }
        let always: [HCI.Opcode] = [
            .disconnect, .leSetRandomAddress, .leConnectionUpdate, .leReadRemoteFeatures,
            .leReadFilterAcceptListSize,
            .leAddDeviceToFilterAcceptList, .readRSSI,
        ]
        let legacy: [HCI.Opcode] = [
            .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
            .leSetAdvertisingEnable,
            .leSetScanParameters, .leSetScanEnable, .leCreateConnection, .leCreateConnectionCancel,
        ]
        return (always + (usesExtendedCommands ? [] : legacy)).filter { !supportedCommands.contains($0) }
    }
}

extension HCI.LEFeatures {
    /// The names of those that are there.
    ///
    /// Spec: Core v5.4, Vol 6, Part B, 4.6.
    fileprivate var names: [String] {
        let names = [
            "encryption", "connection parameters request", "extended reject indication",
            "peripheral-initiated features exchange", "ping", "data length extension", "privacy",
            "extended scanner filter policies", "2M PHY", "stable modulation index (TX)",
            "stable modulation index (RX)",
            "Coded PHY", "extended advertising", "periodic advertising", "channel selection algorithm 2",
            "power class 1",
            "minimum number of used channels", "CTE request", "CTE response",
            "connectionless CTE transmitter",
            "connectionless CTE receiver", "antenna switching (AoD)", "antenna switching (AoA)",
            "receiving CTE",
            "periodic advertising sync transfer, sender", "periodic advertising sync transfer, recipient",
            "sleep clock accuracy updates", "remote public key validation",
            "connected isochronous stream, central",
            "connected isochronous stream, peripheral", "isochronous broadcaster", "synchronized receiver",
            "connected isochronous stream, host", "power control request",
            "power control request, second bit",
            "path loss monitoring", "periodic advertising ADI", "connection subrating",
            "connection subrating, host",
            "channel classification", "advertising coding selection", "advertising coding selection, host",
        ]
        return names.indices.filter { rawValue & 1 << UInt64($0) != 0 }.map { names[$0] }
    }
}
