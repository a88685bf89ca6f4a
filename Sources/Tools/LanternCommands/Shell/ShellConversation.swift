// SPDX-License-Identifier: Apache-2.0

import BLEWire
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import CompanionText
import Synchronization

/// The shell with a person at a terminal.
struct ShellConversation {
    /// How long a command may take to end after Control-C before the person gets the prompt back.
    private static let grace = Duration.seconds(1)

    /// What has come of a command.
    private enum Outcome: Sendable {
        case answer(ExplorerAnswer)
        case failure(any Error)
        case interrupted
        case abandoned
    }

    private let editor: LineEditor
    private let output: Output
    private let explorer: Explorer
    /// Cleared here and not in the shell, where a command may end long after it was given up.
    private let progress = ProgressLine.standard()
    /// Called for each Control-C; `nil` while no command runs.
    private let interrupts = InterruptSlot()

    /// Begins without a link.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - radio: The radio.
    ///   - editor: Reads what the person types.
    ///   - output: The terminal.
    ///   - now: The time of day.
    init(
        with device: DeviceArgument, on radio: Radio, _ editor: LineEditor, _ output: Output,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.editor = editor
        self.output = output
        explorer = Explorer(
            device.address, on: radio, phys: device.phyOptions.phys, exchangesMTU: !device.leavesMTU,
            showing: { [progress] in progress.show($0) },
            pairing: { [progress] options in
                progress.clear()
                return try await PairingPerson(at: editor, output, now: now).agent(options)
            }
        ) { event in
            guard let event = event as? any EventText else { return }
            let terminal = output.terminal
            editor.show(terminal.line(event.line, at: now()))
            guard let event = event as? LinkDisconnected, let peer = event.peer else { return }
            editor.show(terminal.styled("Type connect to open it again.", .yellow))
            editor.setPrompt(Self.prompt(peer.plain, isConnected: false, on: terminal))
        }
    }

    /// Talks until the person leaves or the task is cancelled.
    ///
    /// - Throws: ``OutputError``.
    func run() async throws {
        let interrupts = interrupts
        let result = await InterruptHandling.current.run(onInterrupt: { interrupts.fire() }) {
            do throws(OutputError) {
                try await talk()
                return Result<Void, OutputError>.success(())
            } catch {
                return .failure(error)
            }
        }
        await withoutCancellation { [explorer] in await explorer.close() }
        try result.get()
    }

    private func talk() async throws(OutputError) {
        try output.line("Type help to see the commands, exit to leave.")
        try await carryOut(.connect(nil))
        while !Task.isCancelled {
            switch await editor.line() {
            case .interrupted: continue
            case .end:
                try output.line("")
                return
            case .line(let line):
                switch Result(catching: { () throws(ShellSyntaxError) in try ExplorerRequest.parse(line) }) {
                case .success(nil): continue
                case .success(.exit?): return
                case .success(let request?): try await carryOut(request)
                case .failure(let fault): try complain(fault)
                }
            }
        }
    }

    private func complain(_ error: any Error) throws(OutputError) {
        let sentence = PrintableText.escaped(ShellSentence.text(of: error))
        try output.line(output.terminal.styled(sentence, .red))
    }

    /// Shows the answer to a request, and how things are after it.
    private func carryOut(_ request: ExplorerRequest) async throws(OutputError) {
        switch await outcome(of: request) {
        case .answer(let answer):
            let terminal = output.terminal
            let lines = answer.lines(columns: terminal.columns).flatMap(terminal.lines)
            try output.write(lines.map { $0 + "\n" }.joined())
        case .failure(let error): try complain(error)
        case .interrupted: editor.show("Stopped.")
        case .abandoned:
            editor.show(
                "The device has not answered yet: the next command waits for that. Type disconnect to give up."
            )
        }
        let (address, isConnected) = (await explorer.device.description, await explorer.isConnected)
        editor.setPrompt(Self.prompt(address, isConnected: isConnected, on: output.terminal))
        editor.setCompletion(ShellCompletion(await explorer.knownServices, seen: await explorer.seen))
    }

    /// Waits for the answer, or for Control-C.
    private func outcome(of request: ExplorerRequest) async -> Outcome {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let work = Task { [explorer] in
            do {
                continuation.yield(.answer(try await explorer.answer(request)))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        interrupts.open { continuation.yield(.interrupted) }
        defer {
            interrupts.close()
            progress.clear()
        }
        return await withTaskCancellationHandler {
            var next = outcomes.makeAsyncIterator()
            let first = await next.next() ?? .interrupted
            guard case .interrupted = first else { return first }
            work.cancel()
            let limit = Task {
                // An error says that the work has ended.
                try? await Task.sleep(for: Self.grace)
                continuation.yield(.abandoned)
            }
            defer { limit.cancel() }
            while let end = await next.next() {
                switch end {
                case .interrupted: continue
                case .abandoned: return .abandoned
                case .answer, .failure: return .interrupted
                }
            }
            return .interrupted
        } onCancel: {
            continuation.yield(.interrupted)
        }
    }

    /// What stands before the line: whom one talks to, and whether there is a link.
    static func prompt(_ address: String, isConnected: Bool, on terminal: Terminal) -> String {
        let text = isConnected ? "[\(address)]" : "[\(address) not connected]"
        guard terminal.hasColor else { return text + "> " }
        // What stands between two marks has no width.
        return "\u{1}" + terminal.styled("\u{1}\(text)\u{1}", isConnected ? .green : .yellow) + "\u{1}> "
    }
}

/// Whoever wants to know of Control-C just now.
final class InterruptSlot: Sendable {
    /// How long before a command Control-C may come and still be meant for it.
    private static let haste = Duration.seconds(1)

    private struct State {
        var reader: (@Sendable () -> Void)?
        /// When Control-C came while nobody wanted to know.
        var early: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// Begins something that Control-C ends, also one that came just before.
    func open(_ reader: @escaping @Sendable () -> Void) {
        let early = state.withLock { state in
            defer { state = State(reader: reader) }
            return state.early
        }
        if let early, early.duration(to: .now) < Self.haste { reader() }
    }

    /// Nothing goes on any more that Control-C could end.
    func close() { state.withLock { $0 = State() } }

    /// Takes a Control-C.
    func fire() {
        let reader = state.withLock { state in
            if state.reader == nil { state.early = .now }
            return state.reader
        }
        reader?()
    }
}
