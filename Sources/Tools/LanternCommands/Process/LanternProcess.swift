// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import Foundation

/// The process around the commands: signals, exit status, and sentences on stderr.
public enum LanternProcess {
    /// How long a command may take to end after Control-C.
    private static let grace = Duration.seconds(5)

    /// Runs the command that the arguments name, and ends the process.
    public static func main() async -> Never {
        // Who reads our output may stop doing so; `Output` then gets an error, where we can handle it.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst()), interrupts: Interrupts.stream()))
    }

    /// Runs a command until it ends or the person ends it, which is no failure.
    private static func run(_ arguments: [String], interrupts: AsyncStream<Int32>) async -> Int32 {
        let desk = InterruptDesk()
        let command = Task { await InterruptDesk.$current.withValue(desk) { await execute(arguments) } }
        let watch = Task {
            guard await first(of: interrupts, notFor: desk) else { return }
            command.cancel()
            await secondSignalOrGrace(interrupts)
            if !Task.isCancelled { exit(CommandError.Status.done.rawValue) }
        }
        defer { watch.cancel() }
        return await command.value
    }

    /// Waits for a signal that ends the command.
    private static func first(
        of interrupts: AsyncStream<Int32>, notFor desk: InterruptDesk? = nil
    ) async -> Bool {
        for await number in interrupts where number != SIGINT || desk?.offer() != true { return true }
        return false
    }

    /// Waits for who cannot wait, and for a device that keeps us from closing its link.
    private static func secondSignalOrGrace(_ interrupts: AsyncStream<Int32>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await first(of: interrupts) }
            group.addTask {
                // An error here means that it was cancelled, because the command has ended.
                try? await Task.sleep(for: grace)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Parses and runs; the exit status.
    private static func execute(_ arguments: [String]) async -> Int32 {
        do {
            var command = try LanternCommand.parseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return CommandError.Status.done.rawValue
        } catch {
            let holds = (error as? CommandError)?.holdsWhenEnded == true
            if Task.isCancelled && !holds { return CommandError.Status.done.rawValue }
            return report(error)
        }
    }

    /// Prints what ended the command; the exit status.
    private static func report(_ error: any Error) -> Int32 {
        switch error {
        case OutputError.readerGone:
            return CommandError.Status.done.rawValue
        case let error as CommandError:
            return report(error.sentence, error.status.rawValue)
        case let error as BluetoothError:
            return report(error.description, CommandError.Status.failed.rawValue)
        case let error as OutputError:
            return report(error.description, CommandError.Status.failed.rawValue)
        case is CleanExit, is ExitCode:
            LanternCommand.exit(withError: error)
        default:
            return reportParsing(error)
        }
    }

    /// Prints help that was asked for on stdout, and wrong usage with the usage line on stderr.
    private static func reportParsing(_ error: any Error) -> Int32 {
        let code = LanternCommand.exitCode(for: error)
        switch code {
        case .success: LanternCommand.exit(withError: error)
        case .validationFailure:
            let text = LanternCommand.fullMessage(for: error)
            let prefix = "Error: "
            return report(
                String(text.hasPrefix(prefix) ? text.dropFirst(prefix.count)[...] : text[...]), code.rawValue)
        default: return report("\(error)", CommandError.Status.failed.rawValue)
        }
    }

    private static func report(_ sentence: String, _ status: Int32) -> Int32 {
        let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false)
        let text = "lantern: " + lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n") + "\n"
        try? Output.standardError().write(text)  // There is nowhere left to say that this failed.
        return status
    }
}
