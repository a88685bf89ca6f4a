// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEGATT
import BLEWire
import CommandOptions
import Companion
import Foundation
import ProductRegistry

/// What is wrong with arguments, said so that a person knows what to write instead.
enum ArgumentSentence {
    /// A word of an error that is longer was never meant to be read.
    private static let longestWord = 250

    /// Says what may be written where a value is bad or missing; all else as it is.
    ///
    /// - Parameter text: What the argument parser says, with the usage behind it.
    /// - Returns: The text.
    static func better(_ text: String) -> String {
        guard let line = text.split(separator: "\n", maxSplits: 1).first else { return text }
        let prefix = "Error: "
        let sentence = String(line.hasPrefix(prefix) ? line.dropFirst(prefix.count)[...] : line)
        let better =
            invalid(sentence) ?? missing(sentence) ?? unknown(sentence) ?? unexpected(sentence, in: text)
        return (better ?? sentence) + text.dropFirst(line.count)
    }

    /// Reads `The value '-1' is invalid for '--limit <number>': …`.
    private static func invalid(_ sentence: String) -> String? {
        // The value itself may hold anything.
        guard sentence.hasPrefix("The value '"),
            let middle = sentence.range(of: "' is invalid for '", options: .backwards),
            let end = sentence[middle.upperBound...].firstIndex(of: "'")
        else { return nil }
        let value = sentence.dropFirst("The value '".count).prefix(upTo: middle.lowerBound)
        let (name, kind) = parts(of: sentence[middle.upperBound..<end])
        let shown = value.isEmpty ? "empty" : PrintableText.quoted(value)
        if kind == "address" || Products.withCommands.contains(where: { $0.deviceWord == kind }) {
            let devices = SeenNames.inStateFolder()?.devices(called: String(value)) ?? []
            if devices.count > 1 { return DeviceChoice.ambiguous(shown, devices) }
            return (value.isEmpty ? "An empty text" : shown)
                + " is not an address: write one like F0:F1:F2:F3:F4:F5, or the name of a device that "
                + "`lantern scan` has shown recently; `lantern scan` shows both."
        }
        var reason = String(sentence[end...].dropFirst())
        for start in [": ", ". Please provide one of the following:", ". Please provide one of"] {
            guard reason.hasPrefix(start) else { continue }
            let words = start == ": " ? "" : start.hasSuffix(":") ? "write one of these:" : "write one of"
            reason = words + reason.dropFirst(start.count)
            break
        }
        if reason.isEmpty {
            guard let allowed = allowed(kind) else { return nil }
            reason = isTooLarge(value, kind) ? "that is too large." : "write \(allowed)."
        }
        if reason.hasPrefix("\(shown) is not ") { return reason }
        let isSentence = reason.first?.isUppercase == true
        return "\(name) cannot be \(shown)\(isSentence ? "." : ":") \(reason)"
    }

    /// Reads `Unknown option '--dim'. Did you mean '--phy'?`, whose advice is of no use when the two have little in common.
    private static func unknown(_ sentence: String) -> String? {
        let parts = sentence.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "Unknown option ",
            VerbCheck.nearest(to: String(parts[1]), among: [String(parts[3])]) == nil
        else { return nil }
        return "Unknown option '\(parts[1])'"
    }

    /// Reads `Unexpected argument 'X'`, where an option takes what others take without one.
    private static func unexpected(_ sentence: String, in text: String) -> String? {
        let parts = sentence.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "Unexpected argument " else { return nil }
        let text = options(in: text)
        if text.contains("--address <address>"), DeviceAddress(argument: String(parts[1])) != nil {
            return sentence + ": a device is named with --address."
        }
        return text.contains("--output <file>") ? sentence + ": a file to write is named with --output." : nil
    }

    /// The options of a command: its usage, or its help where the usage of many options says only that there are some.
    private static func options(in text: String) -> String {
        let start = "\nUsage: lantern "
        guard let usage = text.range(of: start), let end = text.range(of: " <options>") else { return text }
        var command: any ParsableCommand.Type = LanternCommand.self
        for name in text[usage.upperBound..<end.lowerBound].split(separator: " ") {
            let next = command.configuration.subcommands.first { $0._commandName == name }
            guard let next else { return text }
            command = next
        }
        return LanternCommand.helpMessage(for: command)
    }

    /// Whether a number is written well, but is larger than what can be meant.
    private static func isTooLarge(_ value: Substring, _ kind: String) -> Bool {
        let isWhole = wholeNumbers.contains(kind)
        guard isWhole || lengths.contains(kind), let number = Double(value), number.isFinite else {
            return false
        }
        return number > 0 && (!isWhole || number.rounded() == number)
    }

    /// Reads `Missing value for '--limit <number>'`.
    private static func missing(_ sentence: String) -> String? {
        let start = "Missing value for '"
        guard sentence.hasPrefix(start), sentence.hasSuffix("'") else { return nil }
        let (name, kind) = parts(of: sentence.dropFirst(start.count).dropLast())
        if name == "--password" { return PasswordOptions.refusal }
        return "\(name) needs a value" + (allowed(kind).map { ": write \($0)." } ?? ".")
    }

    /// An option and what its value is called; both the latter for an argument: `--limit <number>`, `<address>`.
    private static func parts(of text: Substring) -> (name: String, kind: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard let last = words.last, let first = words.first else { return (String(text), "") }
        return (String(first), last.hasPrefix("<") ? String(last.dropFirst().dropLast()) : "")
    }

    private static let lengths: Set<String> = ["seconds", "s"]

    private static let wholeNumbers: Set<String> = [
        "n", "number", "count", "octets", "port", "percent", "dBm", "id",
    ]

    /// What may be written for values of a kind that every command has.
    private static func allowed(_ kind: String) -> String? {
        switch kind {
        case _ where lengths.contains(kind): "a number of seconds from 0 on, such as 10 or 0.5"
        case "dBm": "a whole number, such as -70"
        case "phys": "1m, coded or 1m,coded"
        case "probability": "a number from 0 to 1, such as 0.05"
        case "exponent": "a number from 1 to 6, such as 2.5"
        case "ms[-ms]": "milliseconds up to 10000, such as 20 or 20-50"
        case "who=x,y": "who and where in metres, such as 2=30,0 or bulb=5,-2"
        case "psm": "a number from 1 to 255, or from 0x01 to 0xff"
        case "uuid|0xhandle|name": "a UUID like 2a19, a handle like 0x001f, or a name"
        case _ where wholeNumbers.contains(kind): "a whole number from 0 on, such as 10"
        // `0|1`: what may be written is there.
        case _ where kind.contains("|"): kind.split(separator: "|").joined(separator: " or ")
        default: nil
        }
    }

    /// A line whose words are no longer than a person can read.
    ///
    /// - Parameter line: The line.
    /// - Returns: The line with the ends of such words cut off.
    static func shortened(_ line: some StringProtocol) -> String {
        guard line.utf8.count > longestWord else { return String(line) }
        return line.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.utf8.count > longestWord ? PrintableText.quoted($0) : String($0) }.joined(
                separator: " ")
    }
}
