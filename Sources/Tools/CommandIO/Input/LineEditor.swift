// SPDX-License-Identifier: Apache-2.0

import CLineEditor
package import CompanionDevices
import Dispatch
import Foundation
import Synchronization

/// Reads lines from a person with history and completion, and shows other lines above the one that is being typed.
package final class LineEditor: Sendable {
    /// How reading a line has ended.
    package enum Ending: Hashable, Sendable {
        /// With a line.
        case line(String)
        /// With Control-C.
        case interrupted
        /// With Control-D, the end of the input, or because the task was cancelled.
        case end
    }

    /// More lines to show than these are not kept for a terminal that takes none.
    private static let limit = 1000

    /// What the C side asks for; it lives as long as the editor.
    private final class Owner: Sendable {
        struct State {
            var prompt = ""
            var completion = ShellCompletion()
            var isReading = false
            var lines: [String] = []
            var left = 0

            /// What is to be shown, in one piece.
            mutating func removeLines() -> String {
                defer {
                    lines = []
                    left = 0
                }
                let more = left == 0 ? [] : ["… and \(left) more that came faster than they could be shown"]
                return (lines + more).map { $0 + "\n" }.joined()
            }
        }

        let state = Mutex(State())
        let output: Output

        init(_ output: Output) { self.output = output }

        static func of(_ context: UnsafeMutableRawPointer?) -> Owner? {
            context.map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue() }
        }

        func complete(_ text: String) -> (insertion: String, list: String) {
            let proposal = state.withLock(\.completion).proposal(for: text)
            let lines = ShellCompletion.lines(proposal.choices, columns: output.terminal.columns)
            return (proposal.insertion, lines.map { $0 + "\n" }.joined())
        }
    }

    private let owner: Owner
    private let history: LineFile?
    // Reading is one at a time by `line()`; waking and stopping are made for any thread.
    private nonisolated(unsafe) let editor: OpaquePointer

    /// Opens an editor on the process's terminal.
    ///
    /// - Parameters:
    ///   - history: Where lines are kept; `nil` for nowhere.
    ///   - output: The terminal.
    package init?(history: LineFile?, output: Output) {
        let owner = Owner(output)
        let functions = line_editor_owner(
            context: Unmanaged.passUnretained(owner).toOpaque(),
            prompt: { context in copy(Owner.of(context)?.state.withLock(\.prompt)) },
            complete: { context, text, list in
                guard let owner = Owner.of(context), let text else { return nil }
                let answer = owner.complete(String(cString: text))
                list?.pointee = copy(answer.list)
                return copy(answer.insertion)
            },
            lines: { context in copy(Owner.of(context)?.state.withLock { $0.removeLines() }) })
        guard let editor = line_editor_open(functions, Int32(LineFile.limit)) else { return nil }
        self.owner = owner
        self.history = history
        self.editor = editor
        for line in history?.load() ?? [] { line_editor_remember(editor, line) }
    }

    deinit { line_editor_close(editor) }

    /// What stands before the line, from now on; text between two U+0001 has no width.
    package func setPrompt(_ prompt: String) {
        let isReading = owner.state.withLock { state in
            state.prompt = prompt
            return state.isReading
        }
        if isReading { line_editor_wake(editor) }
    }

    /// What can be completed, from now on.
    package func setCompletion(_ completion: ShellCompletion) {
        owner.state.withLock { $0.completion = completion }
    }

    /// Reads a line; one that is worth it goes into the history.
    ///
    /// - Parameter remembers: Whether it may go there: six digits of a device may not.
    /// - Returns: How reading has ended.
    package func line(remembers: Bool = true) async -> Ending {
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // libedit waits in `poll`, which no task may do.
                DispatchQueue.global().async { continuation.resume(returning: self.read()) }
            }
        } onCancel: {
            line_editor_stop(editor)
        }
        if remembers, case .line(let line) = ending, LineFile.isKept(line) {
            let end = line.lastIndex { !$0.isWhitespace } ?? line.startIndex
            line_editor_remember(editor, String(line[...end]))
            history?.append(String(line[...end]))
        }
        return ending
    }

    private func read() -> Ending {
        owner.state.withLock { $0.isReading = true }
        var typed: UnsafeMutablePointer<CChar>?
        let ending = line_editor_read(editor, &typed)
        defer { free(typed) }
        owner.state.withLock { state in
            state.isReading = false
            // Nobody is left to tell when the terminal is gone.
            try? owner.output.write(state.removeLines())
        }
        if ending == LINE_EDITOR_INTERRUPTED { return .interrupted }
        return typed.map { .line(String(cString: $0)) } ?? .end
    }

    /// Shows a line, above the one that is being typed if one is.
    ///
    /// - Parameter text: The line; what came over the air is escaped already.
    package func show(_ text: String) {
        owner.state.withLock { state in
            guard state.isReading else {
                // Over what a command is busy with, which is on the same row.
                try? owner.output.write("\r\u{1B}[K" + text + "\n")
                return
            }
            if state.lines.count < Self.limit { state.lines.append(text) } else { state.left += 1 }
            line_editor_wake(editor)
        }
    }
}

/// Text for the C side, which frees it; nothing for empty text.
private func copy(_ text: String?) -> UnsafeMutablePointer<CChar>? {
    text.flatMap { $0.isEmpty ? nil : strdup($0) }
}
