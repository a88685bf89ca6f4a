// SPDX-License-Identifier: Apache-2.0

/// The answer to a command of `gatt shell`.
package struct ShellAnswered: Event, Sendable {
    package static let name: StaticString = "shell_answer"
    package static let summary: StaticString = "A command of `gatt shell` was carried out, or has failed."

    /// What was asked.
    package let command: String
    /// The result as one JSON object; `nil` when it has failed.
    package let result: [UInt8]?
    /// What went wrong, if something did.
    package let error: String?

    /// Makes the event of a command that was carried out.
    package init(to command: String, _ result: [UInt8]) {
        self.command = command
        self.result = result
        error = nil
    }

    /// Makes the event of a command that has failed.
    package init(to command: String, failure error: String) {
        self.command = command
        self.error = error
        result = nil
    }

    package static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("command", "What was asked.") { $0.command }
        schema.flag("ok", "Whether it was carried out.") { $0.error == nil }
        schema.anything("result", "What the command says, in values of its own; null when it has failed.") {
            $0.result ?? Array("null".utf8)
        }
        schema.text("error", "What went wrong, if something did.") { $0.error }
    }
}
