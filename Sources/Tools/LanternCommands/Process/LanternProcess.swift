// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BluetoothLE
import CommandIO
import CommandOptions
import Companion
import CompanionDevices
import Foundation

/// The process around the commands: signals, exit status, and sentences on stderr.
public enum LanternProcess {
    /// How long a command may take to end after Control-C.
    ///
    /// Longer than a link takes to close and than a commit waits for a busy database.
    private static let grace = Duration.seconds(10)

    /// Runs the command that the arguments name, and ends the process.
    public static func main() async -> Never {
        // Before anything else, so that no signal comes too early.
        let interrupts = Interrupts.stream()
        // Who reads our output may stop doing so, and a file may be allowed no more octets; whoever writes then gets an
        // error, where we can handle it.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await status(of: { try await execute(arguments) }, interrupts: interrupts))
    }

    /// Runs until the work ends or the person ends it, which is no failure by itself.
    ///
    /// - Parameters:
    ///   - work: What to do.
    ///   - interrupts: The first cancels the work; a Control-C after it, or the end of the grace, does not wait for it
    ///     any more.
    ///   - grace: How long the work may take to end after the first.
    ///   - errors: Where sentences go.
    /// - Returns: The exit status.
    static func status(
        of work: @escaping @Sendable () async throws -> Void, interrupts: AsyncStream<Int32>,
        grace: Duration = grace, errors: Output = .standardError()
    ) async -> Int32 {
        let (endings, ending) = AsyncStream.makeStream(of: Int32.self)
        let handling = InterruptHandling()
        let command = Task {
            do {
                try await InterruptHandling.$current.withValue(handling) { try await work() }
                ending.yield(CommandError.Status.done.rawValue)
            } catch {
                ending.yield(
                    CommandError.isEndedByPerson(error)
                        ? CommandError.Status.done.rawValue : report(error, to: errors))
            }
        }
        let watch = Task {
            guard await first(of: interrupts, notFor: handling) else { return }
            command.cancel()
            guard let why = await secondSignal(interrupts, within: grace) else { return }
            ending.yield(
                report(
                    "\(why): what was under way may be incomplete.", CommandError.Status.failed.rawValue,
                    errors
                ))
        }
        defer { watch.cancel() }
        for await status in endings { return status }
        return CommandError.Status.failed.rawValue
    }

    /// Waits for a signal that ends the command.
    private static func first(of interrupts: AsyncStream<Int32>, notFor handling: InterruptHandling) async
        -> Bool
    {
        for await number in interrupts where number != SIGINT || !handling.offer() { return true }
        return false
    }

    /// Waits for who cannot wait, and for a device that keeps us from closing its link.
    ///
    /// - Returns: Why there is no more waiting; `nil` when the command has ended.
    private static func secondSignal(_ interrupts: AsyncStream<Int32>, within grace: Duration) async
        -> String?
    {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                // A window that is closed and `timeout` send the same signal twice without meaning more by it.
                for await number in interrupts where number == SIGINT { return "Ended at once" }
                return nil
            }
            group.addTask {
                do { try await Task.sleep(for: grace) } catch { return nil }
                return "It did not end within \(Seconds(grace).text) and was cut off"
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Parses and runs.
    private static func execute(_ arguments: [String]) async throws {
        if arguments.first == CompletionRequest.marker {
            let lines = CompletionRequest.lines(for: Array(arguments.dropFirst()))
            return try Output.standard().write(lines.map { $0 + "\n" }.joined())
        }
        if let fault = VerbCheck.fault(in: arguments) { throw fault }
        let arguments = arguments.starts(with: ["help", "help"]) ? ["help"] : arguments
        var command = try LanternCommand.parseAsRoot(ArgumentWords.joined(arguments))
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// Prints what ended the command; the exit status.
    private static func report(_ error: any Error, to errors: Output) -> Int32 {
        switch error {
        case OutputError.readerGone:
            return CommandError.Status.done.rawValue
        case let error as CommandError:
            return report(error.sentence, error.status.rawValue, errors)
        case BluetoothError.timeout:
            return report(
                BluetoothError.timeout.description, CommandError.Status.nothingFound.rawValue, errors)
        case let error as BluetoothError:
            return report(error.description, CommandError.Status.failed.rawValue, errors)
        case let error as OutputError:
            return report(error.description, CommandError.Status.failed.rawValue, errors)
        case let code as ExitCode: return code.rawValue
        default:
            return reportParsing(error, to: errors)
        }
    }

    /// Prints help that was asked for on stdout, and wrong usage with the usage line on stderr.
    private static func reportParsing(_ error: any Error, to errors: Output) -> Int32 {
        let code = LanternCommand.exitCode(for: error)
        switch code {
        case .success:
            do throws(OutputError) {
                try Output.standard().line(LanternCommand.fullMessage(for: error))
                return code.rawValue
            } catch {
                return report(error, to: errors)
            }
        case .validationFailure:
            let text = ArgumentSentence.better(LanternCommand.fullMessage(for: error))
            return report(text, code.rawValue, errors)
        default: return report("\(error)", CommandError.Status.failed.rawValue, errors)
        }
    }

    private static func report(_ sentence: String, _ status: Int32, _ errors: Output) -> Int32 {
        let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false)
        // Nobody reads a word of a megabyte, which a file or an argument may be.
        let text =
            "lantern: "
            + lines.map { PrintableText.escaped(ArgumentSentence.shortened($0)) }.joined(separator: "\n")
            + "\n"
        try? errors.write(text)  // There is nowhere left to say that this failed.
        return status
    }
}
