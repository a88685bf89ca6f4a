// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `lantern overflow`: what apps of iPhones say in the background.
struct OverflowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overflow",
        abstract: "Read and write the overflow area, where iPhones advertise apps in the background.",
        discussion: """
            An app in the background has its service UUIDs advertised as bits of a map of 128, in Apple's \
            manufacturer data. Several services share each bit.

            Codec v1 puts a payload of four octets into the map as the demo app of 2020 does, at octet 0 or 8 in \
            turn; a receiver believes it once both positions were seen. Codec v2 has an error-correcting code in \
            one place.
            """,
        subcommands: [
            OverflowBitCommand.self,
            OverflowEncodeCommand.self,
            OverflowDecodeCommand.self,
            OverflowScanCommand.self,
            OverflowAdvertiseCommand.self,
            OverflowSequenceCommand.self,
            OverflowBeaconCommand.self,
        ])
}
