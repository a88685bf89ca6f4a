// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLETransport
import BluetoothLE
import CommandIO
import CommandOptions
import CompanionHub
import Foundation
import HubModel
import NightlightDevices
import RadioChoosing
import SimulatedDevices

/// The radio that a person has chosen for a hub, and in plain words why it cannot be used.
struct ChosenRadio: HubRadioSource {
    let name: String
    let maximumConnections = 7
    let captures = HubCaptures()
    /// Keeps the bonds of a radio that keeps none itself.
    var bonds: (any BondStore)?
    /// What the virtual air is like, where that was chosen.
    var air = VirtualAir.Configuration()
    /// What was named; `nil` takes what the machine has when the radio is opened.
    private let choice: Result<RadioChoice?, RadioChoiceError>

    /// Takes a choice.
    ///
    /// - Parameter text: What was written; `nil` when nothing was: where there is no radio then, the pages say so.
    /// - Throws: ``CommandError`` of wrong usage when it is no radio.
    init(_ text: String?) throws(CommandError) {
        name = text ?? "automatic"
        do throws(RadioChoiceError) {
            choice = .success(try text.map { (text) throws(RadioChoiceError) in try RadioChoice(text) })
        } catch {
            throw .wrongUsage(error.description)
        }
        if case .success(let named?) = choice { prepareCaptures(for: named) }
    }

    /// Says whether the traffic of a radio can be captured.
    func prepareCaptures(for choice: RadioChoice) {
        captures.obstacle =
            switch choice {
            case .bluez:
                "BlueZ does not show its traffic, so nothing can be captured. Start the hub with --radio hci:0 to capture."
            case .coreBluetooth: "Core Bluetooth does not show its traffic, so nothing can be captured."
            case .simulation, .hci: nil
            }
    }

    var isSimulated: Bool { (try? choice.get()) == .simulation }
    var capture: (any HubCapturing)? { captures }

    func open() async throws(RadioError) -> (name: String, radio: Radio) {
        let (choice, name): (RadioChoice, String)
        do throws(RadioChoiceError) {
            if let named = try self.choice.get() {
                (choice, name) = (named, self.name)
            } else {
                choice = try await .standard()
                name =
                    switch choice {
                    case .bluez: "bluez"
                    case .coreBluetooth: "corebluetooth"
                    case .simulation, .hci: "hci"
                    }
            }
        } catch {
            throw RadioError(
                .missing, title: "No radio was chosen", text: error.description,
                commands: ["lantern hub --radio serial:/dev/ttyACM0", "lantern demo"])
        }
        prepareCaptures(for: choice)
        do throws(RadioOpeningError) {
            let radio = try await choice.open(
                capture: captures.capture, RadioOptions.hostConfiguration, bonds: bonds, air: air
            ) {
                SimulatedDevices.neighbourhood(clock: HostClock.reading())
            }
            return (name, radio)
        } catch {
            throw RadioError(choice, error)
        }
    }
}

extension RadioError {
    /// Says why a radio could not be opened.
    init(_ choice: RadioChoice, _ error: RadioOpeningError) {
        if let fault = error.adapterFault {
            self.init(fault)
            return
        }
        let why = Self.reason(error)
        switch choice {
        case .hci(.serial(let path, _)): self = Self.serial(path, why)
        case .hci(.tcp(let host, let port)):
            self.init(
                .missing, title: "No radio answers at \(host):\(port)",
                text: "\(why) Start the controller there, or end the program that uses it.",
                commands: ["lantern radio serve --listen \(host):\(port)"])
        case .hci(.tcpListen(let host, let port)):
            self.init(
                .missing, title: "No radio has connected to \(host):\(port)",
                text: "\(why) Connect the controller to this address.")
        case .hci(.adapter):
            self.init(.missing, title: "The adapter cannot be used", text: why)
        case .bluez:
            self.init(
                .missing, title: "BlueZ cannot be used", text: why.replacing("`", with: ""),
                commands: Self.commands(in: why))
        case .coreBluetooth: self.init(.missing, title: "Core Bluetooth cannot be used", text: why)
        case .simulation:
            self.init(.missing, title: "The virtual air cannot be used", text: why)
        }
    }

    /// Says why an adapter of this machine cannot be used.
    private init(_ fault: AdapterError) {
        // The commands stand below the text, each to be copied.
        let text = Self.sentence(fault.words).replacing("`", with: "")
        let (condition, title): (HubRadioState.Condition, String) =
            switch fault {
            case .notPermitted: (.forbidden, "The hub may not use the adapter")
            case .inUseBySystem, .inUseByProgram: (.busy, "The adapter is in use")
            default: (.missing, "The adapter cannot be used")
            }
        self.init(condition, title: title, text: text, commands: fault.commands)
    }

    /// What a sentence says to enter, each between two backquotes.
    private static func commands(in sentence: String) -> [String] {
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    private static func serial(_ path: String, _ why: String) -> RadioError {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return RadioError(
                .missing, title: "The radio is not plugged in",
                text: "There is nothing at \(path). Plug the adapter in, or name another port with --radio.",
                commands: ["ls /dev/ttyACM* /dev/ttyUSB*"])
        }
        guard access(path, R_OK | W_OK) == 0 else {
            let group = getgrgid(status.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
            return RadioError(
                .forbidden, title: "The hub may not use the radio",
                text:
                    "The hub's user may not open \(path). Add that user to the group that may, then start the hub again.",
                commands: group.map { ["sudo usermod -aG \($0) $USER"] } ?? [])
        }
        if why.contains(String(cString: strerror(EBUSY))) {
            return RadioError(
                .busy, title: "The radio is in use",
                text:
                    "Another program is using \(path). End that program; the hub then takes the radio by itself.",
                commands: ["fuser -v \(path)"])
        }
        return RadioError(
            .missing, title: "The radio does not answer",
            text:
                "\(why) Check that \(path) is a Bluetooth controller that speaks HCI, and that its speed is right."
        )
    }

    /// What has failed, as a sentence.
    private static func reason(_ error: RadioOpeningError) -> String {
        switch error {
        case .noLoop(let error), .radio(_, transport: let error?): sentence(error.reason)
        case .radio(.radioUnavailable(let why), transport: nil),
            .radio(.unauthorized(let why), transport: nil):
            sentence(why)
        case .radio(let error, transport: nil): sentence(error.description)
        }
    }

    private static func sentence(_ text: String) -> String {
        let sentence = text.prefix(1).uppercased() + text.dropFirst()
        return sentence.hasSuffix(".") ? sentence : sentence + "."
    }
}

extension RadioOpeningError {
    fileprivate var adapterFault: AdapterError? {
        if case .radio(_, transport: .adapter(let fault)?) = self { fault } else { nil }
    }
}
