// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

/// `lantern detections`: what has been kept.
package struct DetectionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "detections",
        abstract:
            "List, show, delete, export and import the detections that were kept; compare them with cameras that others know.",
        subcommands: [
            DetectionsListCommand.self, DetectionsShowCommand.self, DetectionsDeleteCommand.self,
            DetectionsExportCommand.self, DetectionsImportCommand.self, DetectionsDrivesCommand.self,
            DetectionsKnownCommand.self,
        ])

    package init() {}
}
