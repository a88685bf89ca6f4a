// SPDX-License-Identifier: Apache-2.0

import BLEWire
package import Companion
import FlockFinder
import FlockFinderCompanion

/// A command that was given to a FlockFinder, and what comes back.
///
/// The device answers on its live stream with a status; to `stream_on` and `stream_off` it says nothing unless it does not
/// know them.
struct FlockExchange: Sendable {
    /// How long the device may take to take the command, and its answer after that, in milliseconds.
    private static var writing: UInt64 { 10_000 }
    private static var answering: UInt64 { 2000 }
    /// How long a refusal may take of what is not answered.
    private static var refusing: UInt64 { 400 }

    let command: WireText
    let request: JobRequest
    let begun: HostInstant
    private var isWritten = false
    /// When it is over without an answer.
    private(set) var deadline: HostInstant

    init(_ command: WireText, for request: JobRequest, at now: HostInstant) {
        (self.command, self.request, begun) = (command, request, now)
        deadline = now.advanced(byMilliseconds: Self.writing)
    }

    /// Whether the live stream is to be on or off, if that is what the command is about.
    var turnsStream: Bool? {
        if command == FlockFinderCommand.streamOn { return true }
        return command == FlockFinderCommand.streamOff ? false : nil
    }

    mutating func noteWritten(at now: HostInstant) {
        isWritten = true
        deadline = now.advanced(byMilliseconds: turnsStream == nil ? Self.answering : Self.refusing)
    }

    /// What it means that the device has said nothing.
    var silence: Result<String, HubError> {
        guard isWritten else { return .failure(.noAnswer("The device did not take the command. Try again.")) }
        return .success(
            turnsStream.map { "The live stream is \($0 ? "on" : "off")." }
                ?? "It took the command and said nothing."
        )
    }
}

/// What a device has answered to a command.
package struct CommandAnswer: EventPart, Hashable, Sendable {
    /// Its words.
    package let text: String
    /// How long that took, in milliseconds.
    package let milliseconds: Int

    package static func describe(_ schema: inout EventSchema<Self>) {
        schema.text("answer", "What the device has said.") { $0.text }
        schema.integer("milliseconds", "How long that took.") { $0.milliseconds }
    }
}

extension FlockStreamObject {
    /// What the device says of itself, if that is what the object is.
    var status: String? {
        guard let read = try? JSONReader.read(object), let kind = try? read.member("evt"),
            kind.value == .text("status")
        else { return nil }
        if let message = try? read.member("msg"), case .text(let text) = message.value {
            return text.shortened
        }
        return String(decoding: object, as: UTF8.self).shortened
    }
}
