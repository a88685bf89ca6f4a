// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import CompanionText
public import LEDBulb

// Sentences for pages, where nobody types commands.
extension BulbText {
    /// Why a bulb is spoken to in a dialect.
    ///
    /// - Parameters:
    ///   - dialect: The dialect.
    ///   - isChosen: Whether somebody has chosen it.
    /// - Returns: A sentence or two.
    public static func reason(_ dialect: BulbDialect, isChosen: Bool) -> String {
        let found = place(dialect)
        let others = BulbDialect.all.filter { $0 != dialect && $0.control == dialect.control }
        let shared = others.isEmpty ? "" : " \(list(others, "and")) bulbs have the same."
        return isChosen
            ? "Chosen here. The bulb has \(found).\(shared)" : "Taken because the bulb has \(found).\(shared)"
    }

    /// Why a device cannot be used as a bulb.
    ///
    /// - Parameter misfit: What does not fit.
    /// - Returns: A sentence or two.
    public static func pageSentence(_ misfit: BulbIncompatibility) -> String {
        switch misfit {
        case .notABulb:
            "This is not a bulb that Lantern can speak to: it lacks the characteristics of "
                + "\(list(BulbDialect.all.filter { $0.isFoundOut }, "and")). Nothing was written."
        case .ambiguous(let dialects):
            "It has the characteristics of \(list(dialects, "and")), so choose which one it speaks. "
                + "Nothing was written."
        case .lacks(let dialect, let spoken):
            "It does not speak \(dialect.name.string): it lacks \(place(dialect)). Nothing was written."
                + (spoken.isEmpty ? "" : " It has what \(list(spoken, "and")) bulbs have.")
        }
    }

    /// Why a command was not carried out.
    ///
    /// - Parameter refusal: What was refused.
    /// - Returns: A sentence or two.
    public static func pageSentence(_ refusal: BulbCommandError) -> String {
        switch refusal {
        case .notInDialect(let dialect): "\(dialect.name.string) bulbs cannot do this."
        case .writeFailed(let failure):
            "The bulb did not accept it: \(failure). Switch it off and on at the wall, then try again."
        case .disconnected: "The link has ended before it was done."
        }
    }

    /// Why there is no state.
    ///
    /// - Parameter failure: What has failed.
    /// - Returns: A sentence or two.
    public static func pageSentence(_ failure: BulbStateError) -> String {
        switch failure {
        case .notInDialect(let dialect): "\(dialect.name.string) bulbs do not say what they do."
        case .noNotifications(let dialect):
            "\(dialect.name.string) bulbs say what they do, but this one has nothing to say it with."
        case .noAnswer:
            "It was asked what it does \(LEDBulbClient.answerTries) times and did not answer. Bring it nearer."
        case .notUnderstood(let answers):
            "It was asked what it does and answered something that is not understood: \(list(answers))."
        case .failed(let failure): "It could not be asked what it does: \(failure)."
        }
    }

    private static func place(_ dialect: BulbDialect) -> String {
        "\(dialect.control.characteristic.pageText) in the service \(dialect.control.service.pageText)"
    }

    static func list(_ dialects: [BulbDialect], _ last: String) -> String {
        let names = dialects.map { $0.name.string }
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " \(last) " + (names.last ?? "")
    }
}
