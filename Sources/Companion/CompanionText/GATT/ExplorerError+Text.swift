// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

/// The names of the commands that advice mentions.
public struct ExplorerWords: Sendable {
    /// What shows all that a device has.
    public let list: String
    /// What writes without an answer.
    public let unanswered: String
    /// How to have no larger MTU asked for; `nil` where that cannot be chosen.
    public let withoutMTU: String?

    /// The commands of the shell.
    public static let shell = ExplorerWords(
        list: "tree", unanswered: "write-command", withoutMTU: "start the shell with --no-mtu")
    /// The command line.
    public static let commandLine = ExplorerWords(
        list: "lantern gatt tree", unanswered: "--no-response", withoutMTU: "try again with --no-mtu")
    /// A page of the hub.
    public static let page = ExplorerWords(
        list: "the tree", unanswered: "“Without response”", withoutMTU: nil)
}

extension ExplorerError {
    /// The fault in one sentence, with what to do.
    ///
    /// - Parameter words: How the person asks.
    /// - Returns: The sentence.
    public func sentence(_ words: ExplorerWords) -> String {
        switch self {
        case .notHeard(let address, let seconds):
            "\(address) was not heard within \(seconds) seconds: is it switched on, near, and not in use?"
        case .noAnswer(let address, let seconds):
            "\(address) did not answer within \(seconds) seconds: is it switched on, near, and not in use?"
        case .notConnectable(let address): "\(address) is there, but accepts no connections."
        case .noLink(let address): "There is no link to \(address): type connect to open it again."
        case .attribute(let fault): fault.sentence(list: words.list)
        case .incomplete(let fault, let why):
            fault.sentence(list: words.list) + " It may have more than it says: \(why)."
        case .missing(let kind, let uuid):
            "The device has no \(kind.words) \(uuid) there; `\(words.list)` shows all."
        case .notACharacteristic(let handle):
            "Only a characteristic's value can be watched, not what is at \(handle.text)."
        case .sendsNothing(let uuid): "\(uuid) neither notifies nor indicates."
        case .onlyWithoutAnswer(let reason):
            "\(reason) This characteristic is written with \(words.unanswered)."
        case .onlyWithAnswer(let reason): "\(reason) A long value is written with write."
        case .servicesChanged: "The device's services have changed: watch again."
        case .mtuSuspected(let reason, _):
            reason
                + (words.withoutMTU.map {
                    " If it does so each time, \($0): some devices cannot bear to be asked for a larger MTU."
                } ?? "")
        case .mtuAgreed(let mtu):
            "The MTU is \(mtu): it was agreed, as large as both sides can, when the link was opened."
        case .noPairing: "The security level is lower. Pairing raises it: lantern pair, or gatt … --pair."
        case .tooFewValues(let came, let wanted, let time):
            "Only \(came) of \(wanted) values came within \(time)."
        }
    }
}

extension ExplorerError.Kind {
    fileprivate var words: String {
        switch self {
        case .primaryService: "primary service"
        case .characteristic: "characteristic"
        case .value: "value"
        }
    }
}

extension ExplorerStep {
    /// A line for a person who waits.
    public var text: String {
        switch self {
        case .looking(let address): "Looking for \(address)…"
        case .connecting(let address): "Connecting to \(address)…"
        case .exploring(let address): "Exploring \(address)…"
        case .listening(let address): "Listening to \(address)…"
        case .scanning(let time): "Listening for \(time)…"
        }
    }
}
