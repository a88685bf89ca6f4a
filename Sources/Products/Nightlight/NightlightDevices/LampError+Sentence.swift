// SPDX-License-Identifier: Apache-2.0

package import NightlightCompanion

extension NightlightText {
    /// Why a lamp did not do what was asked for.
    ///
    /// - Parameter error: What it did not do.
    /// - Returns: The sentence.
    package static func sentence(_ error: LampError) -> String {
        switch error {
        case .refused(let item, let failure): refusal(item, failure)
        case .notKept(let item): notKept(item)
        case .missing(let item): missing(item)
        }
    }
}
