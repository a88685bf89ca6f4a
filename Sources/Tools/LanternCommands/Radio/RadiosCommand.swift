// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESystemRadio
import BLETransport
import BLEWire
import CommandIO
import CommandOptions
import Companion
import CompanionText
import Foundation
import RadioChoosing

/// `lantern radios`: what this machine offers.
struct RadiosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "radios",
        abstract: "List the radios of this machine, and why any of them cannot be used.",
        discussion: """
            On Linux an adapter can be used in two ways. bluez:NAME goes through the system's Bluetooth, which must be \
            running; it needs no permission, keeps the keys of paired devices, and chooses how to pair. hci:N gives the adapter \
            to this program alone: that needs the capability CAP_NET_ADMIN, and the system's Bluetooth must let go of the \
            adapter. The first radio that can be used is the default of all commands. `lantern radio check` tries one.
            """)

    @OptionGroup var format: FormatOptions

    func run() async throws {
        let printer = EventPrinter(to: .standard(), isJSON: format.isJSON)
        let offers = Self.offers(
            system: await SystemAdapter.all(), adapters: Adapter.all(), ports: Self.serialPorts)
        if format.isJSON {
            for offer in offers { try printer.show(offer) { _ in [] } }
        } else {
            let terminal = printer.output.terminal
            try printer.output.write(
                offers.lines(columns: terminal.columns).map { terminal.drawn($0) + "\n" }.joined())
        }
    }

    /// What there is, what can be used first.
    static func offers(
        system: [SystemAdapter] = [], adapters: [Adapter], ports: [String]
    ) -> [RadioOffered] {
        let systemStandard = system.first { $0.obstacle == nil }
        let standard = systemStandard == nil ? adapters.first { $0.fault == nil } : nil
        var offers = adapters.map { adapter in
            RadioOffered(
                "hci:\(adapter.number)", .adapter, product: adapter.product,
                publicAddress: adapter.address?.description, obstacle: adapter.fault?.words,
                isDefault: adapter == standard)
        }
        if offers.isEmpty { offers = [RadioOffered("hci", .adapter, obstacle: Adapter.absence.words)] }
        offers =
            system.map { adapter in
                RadioOffered(
                    adapter.radio, .systemService, publicAddress: adapter.address?.description,
                    obstacle: adapter.obstacle, isDefault: adapter == systemStandard)
            } + offers
        offers += ports.map { port in
            let isOpen =
                FileManager.default.isReadableFile(atPath: port)
                && FileManager.default.isWritableFile(atPath: port)
            return RadioOffered(
                "serial:\(port)", .serialPort,
                obstacle: isOpen ? nil : "this user may not open it; on Debian the group dialout may")
        }
        return offers + [RadioOffered("sim", .simulation)]
    }

    /// The paths of serial ports behind which a controller is likely.
    static var serialPorts: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        return files.filter { name in ["ttyUSB", "ttyACM", "cu."].contains { name.hasPrefix($0) } }.sorted()
            .map { "/dev/\($0)" }
    }
}
