// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BLESessions
import BLEWire
import CommandIO
import CommandOptions
package import Companion
import FlockFinder
import FlockFinderCompanion
package import ProductRegistry

/// `lantern device run flockfinder`: a simulated FlockFinder device.
struct FlockFinderRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flockfinder",
        abstract: "Notices surveillance cameras and says so.",
        discussion: """
            Without --script it drives an invented route past cameras of many makes.

            A script has one JSON object per line: a detection as it is sent, and after_ms, the milliseconds to wait \
            after the previous line. It is played once and begins when a client first asks for detections:
              {"after_ms":500,"type":"Ring","rssi":-61,"confidence":0.9,"ssid":"Doorbell"}
            """)

    @OptionGroup var options: DeviceRunOptions

    @Option(
        help: ArgumentHelp("Send exactly the detections of this file.", valueName: "file"),
        completion: .file())
    var script: String?

    func validate() throws { try options.radioOptions.checkCapture(apartFrom: (script, "--script")) }

    func run() async throws {
        let source: FlockFinderDevice.Source =
            if let script { .script(try Self.script(at: script)) } else { .route }
        try await options.serve { radio, printer in
            let device = FlockFinderDevice(source: source, seed: .random(in: 0 ... .max))
            let name = device.name.string
            try await printer.run(DeviceRunner(device, on: radio), named: name) { event in
                try printer.show(event.report.event)
            }
        }
    }

    /// Reads a script.
    ///
    /// - Parameter path: The file.
    /// - Returns: The script.
    /// - Throws: ``CommandError`` that names the line that cannot be played.
    static func script(at path: String) throws(CommandError) -> DetectionScript {
        let octets = try InputFile.contents(of: path, atMost: InputFile.Limit.script)
        do throws(DetectionScript.Failure) {
            return try DetectionScript(jsonLines: octets)
        } catch {
            throw .wrongUsage("Line \(error.line) of the script \(path) cannot be played: \(error.error).")
        }
    }
}

extension FlockFinderProduct: CommandProduct {
    package var deviceCommand: any ParsableCommand.Type { FlockFinderRunCommand.self }
    package var commands: [any ParsableCommand.Type] { [FlockCommand.self] }
    package var events: [EventDescription] { FlockFinderEvents.all }
}
