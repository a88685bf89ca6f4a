// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import Companion
import CompanionDevices
import Foundation

/// What is served again, and what is sent.
struct ReplayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The saved device.", valueName: "file"), completion: .file())
    var tree: String?

    @Option(
        help: ArgumentHelp("The values to send to whoever subscribes.", valueName: "file"),
        completion: .file())
    var recording: String?

    @Option(help: ArgumentHelp("Another name for the device.", valueName: "name"))
    var name: String?

    /// Refuses options that do not go together.
    func validate() throws {
        if tree == nil {
            throw ValidationError("replay needs --tree FILE: a device that `gatt tree --output` has saved.")
        }
        if let name, !(1...248).contains(name.utf8.count) {
            throw ValidationError("--name must have 1 to 248 octets.")
        }
    }

    /// The saved device.
    func device() throws(CommandError) -> ReplayDevice {
        let path = tree ?? ""
        let octets = try InputFile.contents(of: path, atMost: InputFile.Limit.tree)
        do throws(JSONDecodingError) {
            return try ReplayDevice(json: octets, name: name)
        } catch {
            throw Self.error(error, in: path, "served")
        }
    }

    /// The values to send.
    func recording(of device: ReplayDevice) throws(CommandError) -> ReplayRecording {
        guard let path = recording else { return ReplayRecording() }
        let octets = try InputFile.contents(of: path, atMost: InputFile.Limit.recording)
        do throws(JSONDecodingError) {
            return try ReplayRecording(jsonLines: octets, of: device)
        } catch {
            throw Self.error(error, in: path, "played")
        }
    }

    private static func error(_ fault: JSONDecodingError, in path: String, _ use: String) -> CommandError {
        .wrongUsage("Line \(fault.line) of \(path.shortenedPath) cannot be \(use): \(fault.reason).")
    }
}
