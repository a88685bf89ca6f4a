// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
public import Companion

// Sentences for pages, where nobody types commands.
extension WiFiText {
    /// What a device has answered, in its own words and with the octet that says so.
    ///
    /// - Parameter report: The report.
    /// - Returns: Some words; `nil` for what is no answer.
    public static func said(_ report: WiFiReport) -> String? {
        switch report {
        case .answered(let answer, _): said(answer)
        case .state(let state): said(state)
        case .joined(let state, isRepeated: false): said(state)
        case .trouble(let trouble) where trouble.code != 0:
            "error: \(words(trouble.word)) (\(octet(trouble.code)))"
                + (trouble.message.isEmpty ? "" : ", “\(trouble.message)”")
        case .authorizationNeeded: "wants its button pressed"
        case .identifyFailed(let failure) where failure != .linkLost:
            "cannot make itself known: \(reason(failure))"
        case .sent(let attempt) where attempt > 1: "nothing; sent again, try \(attempt)"
        default: nil
        }
    }

    private static func said(_ answer: WiFiAnswer) -> String {
        switch answer {
        case .stored: "accepted, kept as a candidate (0x00)"
        case .invalidSSIDLength: "refused: length of the name (0x01)"
        case .invalidPasswordLength: "refused: length of the password (0x02)"
        case .storageFailure: "refused: cannot keep it (0x03)"
        case .unknown: "refused, for a reason that is not known here"
        }
    }

    private static func said(_ state: WiFiDeviceState) -> String {
        let name = state.ssid.flatMap { $0.isEmpty ? nil : "“\(Self.name($0))”" }
        let code = " (\(octet(state.code)))"
        switch state.word {
        case .notConfigured: return "no network yet" + code
        case .configured: return "not connected" + (name.map { ", knows \($0)" } ?? "") + code
        case .connecting: return "connecting" + (name.map { " to \($0)" } ?? "") + code
        case .connected:
            let rest = [state.rssi.flatMap { $0 == 0 ? nil : "\($0) dBm" }, state.ip, state.url]
                .compactMap { $0 }.map { ", \($0)" }.joined()
            return "connected" + (name.map { " to \($0)" } ?? "") + code + rest
        case .failed: return "connection failed" + code
        case .stopped: return "accepts no network now" + code
        case .authorizationRequired: return "wants its button pressed first" + code
        case .authorized: return "accepts a network" + code
        case .unknown: return "a state that is not known here" + code
        }
    }

    private static func words(_ trouble: ReportedWiFiError.Word) -> String {
        switch trouble {
        case .invalidMessage: "invalid message"
        case .scanFailed: "Wi-Fi scan failed"
        case .credentialWriteFailed: "credential write failed"
        case .storageError: "storage error"
        case .connectionTimeout: "connection timeout"
        case .unknownMessageType: "unknown message"
        case .unableToConnect: "unable to connect"
        case .notAuthorized: "not authorized"
        case .badHostName: "bad host name"
        case .unknown: "not known here"
        }
    }

    private static func octet(_ code: UInt8) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        return "0x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }

    /// Why a device is not in the network, and what that most often means.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - attempt: What was tried; `nil` for what is no try.
    ///   - now: When it failed.
    /// - Returns: A sentence or two.
    public static func reason(
        _ failure: WiFiError, of attempt: WiFiAttempt? = nil, at now: Timestamp? = nil
    )
        -> String
    {
        switch failure {
        case .couldNotJoin, .reported(ReportedWiFiError(.unableToConnect, code: 3)):
            return "The device says “connection failed”\(after(attempt, now)). \(likely(attempt))"
        case .reported(let trouble) where trouble.word == .connectionTimeout:
            return "The network did not answer the device\(after(attempt, now)). \(likely(attempt))"
        case .noResult:
            return "The device took the password and then said nothing more\(after(attempt, now)). "
                + "It may have joined: look for it in the network, or try again."
        case .linkLost where attempt?.sent != nil:
            return "The link to the device ended before it said whether it joined. \(mayHaveJoined)"
        case .linkLost: return "The link to the device ended before it was done. Bring it near and try again."
        case .unsupported: return "This device cannot do that."
        default: return sentence(failure)
        }
    }

    /// What to do when a device was told and has not said what came of it.
    static let mayHaveJoined =
        "It may be in the network, as many devices switch Bluetooth off then: look for it there, or look again here, "
        + "which connects to it once more."

    private static func after(_ attempt: WiFiAttempt?, _ now: Timestamp?) -> String {
        guard let attempt, let now else { return "" }
        let seconds = max(1, (now.milliseconds - attempt.begun.milliseconds + 500) / 1000)
        return " after \(seconds) \(seconds == 1 ? "second" : "seconds")"
    }

    /// Why there is no list of networks.
    ///
    /// - Parameter failure: Why.
    /// - Returns: A sentence or two.
    public static func listReason(_ failure: WiFiError) -> String {
        switch failure {
        case .unsupported, .request(.unsupported):
            "This device does not say which networks it hears. Type the name of yours."
        case .listTimeout:
            "The device was asked three times and its list never ended. Look again, or type the name of your network."
        default: reason(failure)
        }
    }

    /// What is most often the cause.
    private static func likely(_ attempt: WiFiAttempt?) -> String {
        guard let attempt else { return "" }
        switch attempt.password {
        case .empty: return "It may want a password, or be too far from the device."
        case .plain: return likelyWithPassword(attempt)
        case .typographic: return "\(likelyWithPassword(attempt)) \(typographic)"
        }
    }

    private static func likelyWithPassword(_ attempt: WiFiAttempt) -> String {
        guard let rssi = attempt.heardRSSI else {
            if let heard = attempt.alike {
                return "It hears “\(name(heard))”, which looks alike and is not the same: choose that one."
            }
            return "Check that the name is typed exactly as it is, and the password."
        }
        return rssi >= -75
            ? "With this signal it is most often the password."
            : "It hears the network faintly (−\(rssi.magnitude) dBm): check the password, or put it nearer."
    }

    /// What a device does after a try that has failed.
    ///
    /// - Parameters:
    ///   - state: What it says.
    ///   - attempt: The try.
    /// - Returns: A sentence; `nil` when it says nothing of another network.
    public static func fallback(_ state: WiFiDeviceState, after attempt: WiFiAttempt) -> String? {
        guard let ssid = state.ssid, !ssid.isEmpty, ssid != attempt.ssid else { return nil }
        switch state.word {
        case .connected: return "The device went back to “\(name(ssid))”, the last network that worked."
        case .failed, .connecting, .configured:
            return "The device goes back to “\(name(ssid))”, the last network that worked."
        default: return nil
        }
    }
}

extension FoldedNetwork {
    /// How the network is secured and how many access points it has, or why it cannot be joined.
    public var words: String {
        let points = accessPoints > 1 ? ", \(accessPoints) access points" : ""
        return switch network.security {
        case .open: "Open, anyone nearby can listen" + points
        case .wep: "WEP, easily broken" + points
        case .wpa2: "WPA2" + points
        case .wpa3: "WPA3" + points
        case .wpa2Enterprise: "Needs a user name. This device has no field for it."
        case .unknown: "Secured in a way that is not known here" + points
        }
    }
}
