// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO

/// `lantern completions`: what a shell needs to complete our words.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a script with which bash, zsh or fish completes commands.",
        discussion: """
            With it, the Tab key completes commands, options, devices that `lantern scan` has shown recently, radios, \
            names of services and characteristics, colours and files. To load it in every new shell:

              bash  echo 'source <(lantern completions bash)' >>~/.bashrc
              zsh   echo 'source <(lantern completions zsh)' >>~/.zshrc     (after compinit)
              fish  lantern completions fish >~/.config/fish/completions/lantern.fish
            """)

    @Argument(help: "bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"]))
    var shell: String

    func run() throws {
        guard let script = CompletionShell(rawValue: shell)?.script else {
            throw CommandError.wrongUsage("There are completions for bash, zsh and fish: name one of these.")
        }
        try Output.standard().write(script + "\n")
    }
}

/// What the scripts of `lantern completions` ask for.
enum CompletionRequest {
    /// The argument that makes a command line a request; no person types it.
    static let marker = "---complete"

    /// Answers a request.
    ///
    /// - Parameter arguments: What stands behind the marker: the shell, then for bash the line and the characters that end
    ///   words, for the others the words, of which the last is not finished.
    /// - Returns: The lines; none when nothing fits, and when the request makes no sense.
    static func lines(for arguments: [String]) -> [String] {
        guard let shell = arguments.first else { return [] }
        let completion = CommandLineCompletion(tree: .all(), values: values)
        guard shell == "bash" else {
            let words = Array(arguments.dropFirst())
            return lines(completion.proposal(after: words.dropLast(), for: words.last ?? "")) { $0 }
        }
        guard arguments.count == 3 else { return [] }
        let line = ShellWords(arguments[1], breaks: arguments[2])
        let proposal = completion.proposal(after: Array(line.words.dropFirst()), for: line.last)
        return lines(proposal, line.insertion)
    }

    private static func lines(
        _ proposal: CommandLineCompletion.Proposal, _ insertion: (String) -> String?
    ) -> [String] {
        switch proposal {
        case .files: ["\tfiles"]
        case .folders: ["\tfolders"]
        case .words(let candidates):
            candidates.compactMap { candidate in
                guard let word = insertion(candidate.word) else { return nil }
                return candidate.note.isEmpty ? word : "\(word)\t\(candidate.note)"
            }
        }
    }

    /// Lets the argument parser call what stands behind `completion:` of an argument.
    private static func values(
        path: [String], argument: String, typed: String
    ) -> [CommandLineCompletion.Candidate] {
        do {
            _ = try LanternCommand.parseAsRoot(
                ["---completion"] + path + ["--", argument, "0", "\(typed.count)", typed])
            return []
        } catch {
            // That is how the argument parser gives the answer.
            guard LanternCommand.exitCode(for: error) == .success else { return [] }
            return LanternCommand.fullMessage(for: error).split(separator: "\n").map { line in
                let parts = line.split(separator: "\t", maxSplits: 1)
                return .init(word: String(parts[0]), note: parts.count == 2 ? String(parts[1]) : "")
            }
        }
    }
}
