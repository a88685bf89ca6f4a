// SPDX-License-Identifier: Apache-2.0

/// Why a command ends without having done what was asked: one sentence that says what happened and what to do.
package struct CommandError: Error, Hashable {
    /// How a command ends, as scripts see it.
    package enum Status: Int32 {
        /// Done, or ended by the person.
        case done = 0
        /// Failed.
        case failed = 1
        /// Nothing was found, or it did not come in time.
        case nothingFound = 2
        /// The command was not used as it is meant to be.
        case wrongUsage = 64
    }

    /// The sentence, without `lantern:` before it.
    package let sentence: String
    /// The exit status.
    package let status: Status

    /// Something went wrong.
    package static func failed(_ sentence: String) -> CommandError {
        CommandError(sentence: sentence, status: .failed)
    }

    /// What was looked for is not there.
    package static func nothingFound(_ sentence: String) -> CommandError {
        CommandError(sentence: sentence, status: .nothingFound)
    }

    /// The arguments cannot be meant.
    package static func wrongUsage(_ sentence: String) -> CommandError {
        CommandError(sentence: sentence, status: .wrongUsage)
    }
}
