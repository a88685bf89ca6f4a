// SPDX-License-Identifier: Apache-2.0

/// What the last word of a command line could become.
struct CommandLineCompletion {
    /// One word that fits.
    struct Candidate: Hashable {
        /// The whole word.
        let word: String
        /// More about it, in a few words.
        var note = ""
    }

    /// What can stand there.
    enum Proposal: Hashable {
        case words([Candidate])
        /// Names of files, which the shell knows.
        case files
        case folders
    }

    /// The program.
    let tree: CommandTree
    /// Finds values that are not always the same: of the argument of a name (`--radio`, or `positional@0`) of a command,
    /// by its path, for what was typed of it.
    let values: (_ path: [String], _ argument: String, _ typed: String) -> [Candidate]

    /// What the last word could become.
    ///
    /// - Parameters:
    ///   - words: The words before it, without the program.
    ///   - last: What was typed of it.
    /// - Returns: What fits.
    func proposal(after words: [String], for last: String) -> Proposal {
        var place = Place(command: tree)
        for word in words {
            guard place.advance(past: word, root: tree) else { return .words([]) }
        }
        if let option = place.waiting { return values(of: option, named: place.name, at: place, for: last) }
        if last.hasPrefix("-"), !place.isAfterOptions {
            if let equals = last.firstIndex(of: "=") {
                let name = String(last[..<equals])
                guard let option = place.command.option(name), option.kind == .option else {
                    return .words([])
                }
                let typed = String(last[equals...].dropFirst())
                let found = values(of: option, named: name, at: place, for: typed)
                guard case .words(let candidates) = found else { return found }
                return .words(candidates.map { Candidate(word: "\(name)=\($0.word)", note: $0.note) })
            }
            return .words(Self.fitting(options(at: place), last))
        }
        let verbs = place.command.subcommands.filter(\.shouldDisplay)
        if !verbs.isEmpty, !place.isAfterOptions {
            let candidates = verbs.map { Candidate(word: $0.commandName, note: $0.abstract) }
            return .words(Self.fitting(candidates, last))
        }
        let positionals = place.command.positionals
        guard let index = positionals.indices.contains(place.count) ? place.count : positionals.indices.last,
            index == place.count || positionals[index].isRepeating
        else { return .words(last.isEmpty ? options(at: place) : []) }
        return values(of: positionals[index], named: "positional@\(index)", at: place, for: last)
    }

    /// The options that may still be given.
    private func options(at place: Place) -> [Candidate] {
        let open = place.command.arguments.filter { argument in
            let isGiven = (argument.names ?? []).contains { place.given.contains($0.text) }
            return argument.kind != .positional && argument.shouldDisplay
                && (argument.isRepeating || !isGiven)
        }
        return open.flatMap { argument in
            // A short name is typed faster than it is completed.
            (argument.names ?? []).filter { $0.kind == .long }
                .map { Candidate(word: $0.text, note: argument.abstract ?? "") }
        }
    }

    private func values(
        of argument: CommandTree.Argument, named name: String, at place: Place, for typed: String
    ) -> Proposal {
        let kind = argument.completionKind
        if kind?.file != nil { return .files }
        if kind?.directory != nil { return .folders }
        if kind?.custom != nil { return .words(Self.fitting(values(place.path, name, typed), typed)) }
        let list = kind?.list?.values ?? argument.allValues ?? []
        return .words(Self.fitting(list.map { Candidate(word: $0) }, typed))
    }

    /// Those that begin with what was typed; where none does, those that differ in case only.
    private static func fitting(_ candidates: [Candidate], _ typed: String) -> [Candidate] {
        let exact = candidates.filter { $0.word.hasPrefix(typed) }
        guard exact.isEmpty else { return exact }
        let plain = typed.lowercased()
        return candidates.filter { $0.word.lowercased().hasPrefix(plain) }
    }
}

/// Where in a command line one is.
private struct Place {
    /// The command that the verbs so far have named.
    var command: CommandTree
    /// Its verbs.
    var path: [String] = []
    /// The option whose value comes next, and how it was written.
    var waiting: CommandTree.Argument?
    var name = ""
    /// Arguments with a place that there were.
    var count = 0
    /// Options that there were.
    var given: Set<String> = []
    /// Whether `--` was there.
    var isAfterOptions = false

    init(command: CommandTree) { self.command = command }

    /// Goes one word on.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - root: The program, which `help` speaks of.
    /// - Returns: Whether the word makes sense.
    mutating func advance(past word: String, root: CommandTree) -> Bool {
        if waiting != nil {
            waiting = nil
        } else if isAfterOptions {
            count += 1
        } else if word == "--" {
            isAfterOptions = true
        } else if word.hasPrefix("-"), word != "-" {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            name = String(parts[0])
            given.insert(name)
            if let option = command.option(name), option.kind == .option, parts.count == 1 {
                waiting = option
            }
        } else if path.isEmpty, word == "help" {
            command = root
        } else if !command.subcommands.isEmpty {
            guard let next = command.subcommand(word) else { return false }
            self = Place(command: next, path: path + [word])
        } else {
            count += 1
        }
        return true
    }

    private init(command: CommandTree, path: [String]) {
        self.command = command
        self.path = path
    }
}
