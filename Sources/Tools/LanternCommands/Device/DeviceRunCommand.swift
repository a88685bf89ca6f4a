// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESessions
import BLEWire
import BluetoothLE
import Companion
import CompanionText
import FlockFinder
import Foundation
import CompanionDevices
import LEDBulb
import SimulatedDevices
import WiFiSet

/// A device that this program can be.
enum DeviceKind: String, CaseIterable, ExpressibleByArgument {
    /// The FlockFinder device.
    case flockfinder
    /// The WiFiSet device.
    case wifiset
    /// A device that speaks Improv.
    case improv
    /// An LED bulb.
    case bulb
    /// An iPhone with an app that advertises.
    case iphone
    /// The Smart Nightlight.
    case nightlight
    /// A device that was saved.
    case replay
}

/// `lantern device run`: a device session as a peripheral on any radio.
struct DeviceRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Advertise and serve as a device until Control-C.",
        discussion: """
            Kinds:
              flockfinder   notices surveillance cameras and tells of them. Without --script it drives an \
            invented route past cameras of many makes.

              wifiset       takes the name and password of a Wi-Fi network and tells what comes of them, in a \
            neighbourhood that is invented or read from --networks.

              improv        as wifiset, but speaks Improv. With --press it takes credentials only for a minute \
            after the line `press` on the standard input, which is its button.

              bulb          shines as it is told, in the colours of the terminal, and speaks any dialect \
            (--dialect).

              iphone        a phone with an app in the background, whose services are in the overflow area: \
            --uuid, or --payload in the demo app's code (01020304 when neither is given).

              nightlight    a child's lamp with its schedules, button and battery. It reads lines from the \
            standard input: press, shake, time [YYYY-MM-DDT]HH:MM[:SS], battery N, charge on|off. Their end does not \
            end it.

              replay        serves a device again that `gatt tree --output` has saved, or that was written by \
            hand, with the same handles, values and errors (--tree). Writes are kept and shown.

            A script has a JSON object a line: a detection as it is sent, and after_ms, the milliseconds to wait \
            after the line before. It is played once and begins when a client first asks for detections:
              {"after_ms":500,"type":"Ring","rssi":-61,"confidence":0.9,"ssid":"Doorbell"}

            A recording (--recording) is what `gatt watch --output` has written. To whoever subscribes, its values \
            are sent again with their timing.
            """)

    @OptionGroup var radioOptions: RadioOptions
    @OptionGroup var format: FormatOptions

    @Argument(help: ArgumentHelp("What to be.", valueName: "kind"))
    var kind: DeviceKind

    @Option(help: ArgumentHelp("flockfinder: send exactly the detections of this file.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("wifiset, improv: the Wi-Fi networks around it, as JSON.", valueName: "file"))
    var networks: String?

    @Flag(help: "improv: its button has to be pressed first.")
    var press = false

    @Option(
        help: ArgumentHelp(
            "bulb: what it speaks: \(BulbDialect.choices). Triones unless said otherwise.",
            valueName: "dialect"),
        transform: BulbDialect.argument)
    var dialect: BulbDialect?

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var replay: ReplayOptions

    func validate() throws {
        if kind != .flockfinder, script != nil { throw ValidationError("--script is for flockfinder.") }
        if kind != .wifiset, kind != .improv, networks != nil {
            throw ValidationError("--networks is for wifiset and improv.")
        }
        if kind != .improv, press { throw ValidationError("--press is for improv.") }
        if kind != .bulb, dialect != nil { throw ValidationError("--dialect is for bulb.") }
        try phone.validate(for: kind)
        try replay.validate(for: kind)
    }

    func run() async throws {
        // A device goes on when nobody reads what it says.
        try await Output.standard().withoutWaiting(isJSON: format.isJSON) { output in
            switch kind {
            case .flockfinder: try await runFlockFinder(to: output)
            case .wifiset: try await runWiFiSet(to: output)
            case .improv:
                try await ImprovRun.serve(
                    networks, needsAuthorization: press, on: radioOptions,
                    EventPrinter(to: output, isJSON: format.isJSON))
            case .bulb: try await runBulb(to: output)
            case .iphone: try await phone.run(on: radioOptions, to: output, isJSON: format.isJSON)
            case .nightlight: try await runNightlight(to: output)
            case .replay: try await replay.run(on: radioOptions, to: output, isJSON: format.isJSON)
            }
        }
    }

    private func runFlockFinder(to output: Output) async throws {
        let source: FlockFinderDevice.Source =
            if let script { .script(try Self.script(at: script)) } else { .route }
        let printer = DevicePrinter(to: output, isJSON: format.isJSON)
        try await radioOptions.use { radio in try await serve(source, on: radio, printer, output) }
    }

    private func runWiFiSet(to output: Output) async throws {
        let neighbourhood = try networks.map { path throws(CommandError) in try WiFiNeighbourhood(path: path)
        }
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        try await radioOptions.use { radio in
            let device = WiFiSetDevice(station: neighbourhood?.station ?? SimulatedWiFiStation())
            let name = device.name.string
            try await printer.run(device, named: name, on: radio) { $0.event }
        }
    }

    private func runBulb(to output: Output) async throws {
        let dialect = dialect ?? .triones
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        try await radioOptions.use { radio in try await BulbRun.serve(dialect, on: radio, printer) }
    }

    private func runNightlight(to output: Output) async throws {
        let printer = EventPrinter(to: output, isJSON: format.isJSON)
        try await radioOptions.use { radio in
            let clock = HostClock.reading()
            try await LampRun.serve(on: radio, printer, input: StandardInput(), clock: clock)
        }
    }

    /// Serves until the task is cancelled or the radio is gone.
    private func serve(
        _ source: FlockFinderDevice.Source, on radio: Radio, _ printer: DevicePrinter, _ output: Output
    ) async throws {
        let device = FlockFinderDevice(source: source, seed: .random(in: 0 ... .max))
        let name = device.name
        let runner = DeviceRunner(device, on: radio)
        // A device goes on when nobody reads what it says, so errors of the output end nothing.
        try await runner.run(
            advertising: { try? printer.show(.advertising(name)) },
            watcher: AirNews.printer(to: output, isJSON: format.isJSON)
        ) { event in try? printer.show(.event(event)) }
    }

    /// Reads a script.
    ///
    /// - Parameter path: The file.
    /// - Returns: The script.
    /// - Throws: ``CommandError`` that names the line that cannot be played.
    static func script(at path: String) throws(CommandError) -> DetectionScript {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .wrongUsage("The script \(path) cannot be read. Check its name and permissions.")
        }
        do throws(DetectionScript.Failure) {
            return try DetectionScript(jsonLines: Array(data))
        } catch {
            throw .wrongUsage("Line \(error.line) of the script \(path) cannot be played: \(error.error).")
        }
    }
}
