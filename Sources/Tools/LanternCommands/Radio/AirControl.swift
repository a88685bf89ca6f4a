// SPDX-License-Identifier: Apache-2.0

import BLESimulation
import BLEVirtualRadio
import CommandIO
import Companion
import Foundation

/// Changes to the air of a served radio while it runs, a line each.
enum AirControl: Hashable {
    /// Somebody stands somewhere else from now on.
    case move(Placement.Subject, VirtualAir.Position)
    /// Packets get lost more or less often from now on.
    case loss(Double)

    typealias Places = [Placement.Subject: VirtualAir.ControllerID]

    init?(_ line: String) {
        let words = line.split(separator: " ")
        switch (words.first, words.count) {
        case ("move", 3):
            guard let subject = Placement.Subject(words[1]), let to = VirtualAir.Position(parsing: words[2])
            else { return nil }
            self = .move(subject, to)
        case ("loss", 2):
            guard let loss = Double(words[1]), (0...1).contains(loss) else { return nil }
            self = .loss(loss)
        default: return nil
        }
    }

    /// Carries out what standard input says until its end.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - places: Who there is.
    /// - Returns: What to cancel when the radio ends.
    static func start(on radio: VirtualRadio, _ places: Places) -> Task<Void, Never> {
        Task {
            await StandardInput().forEachLine { line in
                switch AirControl(line) {
                case .move(let subject, let position):
                    if let id = places[subject] {
                        await radio.move(id, to: position)
                    } else {
                        complain("There is no device of that name: \(PrintableText.quoted(line))")
                    }
                case .loss(let loss): await radio.setLoss(loss)
                case nil:
                    complain("Not understood: \(PrintableText.quoted(line)). Write move WHO X,Y or loss P.")
                }
            }
        }
    }

    private static func complain(_ text: String) {
        // That nobody reads this ends nothing.
        try? Output.standardError().line("lantern: " + PrintableText.escaped(text))
    }
}
