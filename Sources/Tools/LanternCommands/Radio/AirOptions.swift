// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLESimulation
import Companion
import SimulatedDevices

/// Where a controller or a simulated device stands: `2=3.5,-1` or `flockfinder=40,0`.
struct Placement: ExpressibleByArgument, Hashable {
    /// Who stands somewhere.
    enum Subject: Hashable {
        /// A controller, counted from one.
        case controller(Int)
        /// A simulated device, by its kind.
        case device(String)
    }

    let subject: Subject
    let position: VirtualAir.Position

    init?(argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = VirtualAir.Position(parsing: parts[1]) else { return nil }
        self.position = position
        guard let subject = Subject(parts[0]) else { return nil }
        self.subject = subject
    }
}

extension Placement.Subject {
    /// Reads the number of a controller or the kind of a device.
    init?(_ text: Substring) {
        if let number = Int(text) {
            self = .controller(number)
        } else {
            guard DeviceSelection.all.contains(String(text)) else { return nil }
            self = .device(String(text))
        }
    }
}

extension VirtualAir.Position {
    /// Reads `X,Y`, in metres; at most 1 000 km from the middle.
    init?(parsing text: Substring) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1], abs(x) <= 1e6, abs(y) <= 1e6 else {
            return nil
        }
        self.init(x: x, y: y)
    }
}

/// How long the air takes: `20` or `20-50`, in milliseconds.
struct AirLatency: ExpressibleByArgument, Hashable {
    let microseconds: ClosedRange<UInt64>

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt64($0) }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let low = numbers.first,
            let high = numbers.last, low <= high, high <= 10_000
        else { return nil }
        microseconds = low * 1000...high * 1000
    }

    static let none = AirLatency(microseconds: 0...0)

    var defaultValueDescription: String { "0" }

    private init(microseconds: ClosedRange<UInt64>) { self.microseconds = microseconds }
}

/// What the controllers of a served radio can do.
enum ControllerFeatures: String, CaseIterable, ExpressibleByArgument {
    case legacy
    case extended

    var generation: VirtualAir.Generation { self == .legacy ? .legacy : .extended }
}

/// What the air of a served radio is like.
struct AirOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The probability that a packet is lost on the air, from 0 to 1.", valueName: "probability"))
    var loss = 0.0

    @Option(
        help: ArgumentHelp(
            "Milliseconds that a packet takes to reach its host: one number, or from-to.",
            valueName: "ms[-ms]"))
    var latency = AirLatency.none

    @Option(
        help: ArgumentHelp(
            "How fast strength falls with distance: 2 in the open, 3 to 4 indoors.", valueName: "exponent"))
    var pathLoss = 2.0

    @Option(
        help: ArgumentHelp(
            "Where a controller (by number) or device (by name) stands, in metres; can be repeated.",
            valueName: "who=x,y"))
    var at: [Placement] = []

    @Option(
        help: ArgumentHelp("The seed of everything random: losses, delays and devices.", valueName: "number"))
    var seed: UInt64 = 1

    /// The air itself.
    var configuration: VirtualAir.Configuration {
        var configuration = VirtualAir.Configuration(seed: seed, loss: loss)
        configuration.latencyMicroseconds = latency.microseconds
        configuration.pathLossExponent = pathLoss
        return configuration
    }

    func validate() throws {
        guard (0...1).contains(loss) else {
            throw ValidationError("--loss must be from 0 (nothing is lost) to 1 (everything).")
        }
        guard (1...6).contains(pathLoss) else {
            throw ValidationError("--path-loss must be from 1 to 6; 2 is in the open.")
        }
    }

    /// Where somebody stands, if it was said; the last word counts.
    func position(of subject: Placement.Subject) -> VirtualAir.Position? {
        at.last { $0.subject == subject }?.position
    }

    /// Checks that everybody who was put somewhere is there.
    ///
    /// - Parameters:
    ///   - controllers: How many controllers there are.
    ///   - kinds: The simulated devices that there are.
    /// - Throws: ``ValidationError`` that names who is missing.
    func checkPlaces(controllers: Int, kinds: [String]) throws {
        for placement in at {
            switch placement.subject {
            case .controller(let number) where !(1...controllers).contains(number):
                throw ValidationError(
                    "There is no controller \(number) for --at: they are 1 to \(controllers).")
            case .device(let kind) where !kinds.contains(kind):
                throw ValidationError("There is no \(kind) for --at: add it to --devices.")
            default: break
            }
        }
    }
}
