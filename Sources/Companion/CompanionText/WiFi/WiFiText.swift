// SPDX-License-Identifier: Apache-2.0

import BLEGATT
public import BLEWire
public import Companion

/// Sentences about a device's Wi-Fi, which say what to do next.
///
/// Nothing is escaped: names and messages may hold anything.
public enum WiFiText {
    /// A network's name, or that it is hidden.
    ///
    /// - Parameter ssid: The name.
    /// - Returns: What to show.
    public static func name(_ ssid: WireText) -> String {
        ssid.octets.allSatisfy { $0 == 0 } ? "(hidden)" : ssid.string
    }

    /// Who a device is, before anything is sent to it.
    ///
    /// - Parameter device: The device.
    /// - Returns: A sentence.
    public static func introduction(_ device: WiFiDevice) -> String {
        let names = device.kind.characteristics.map { $0.name }
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        return
            "\(device.name?.string ?? "a device without a name"), \(device.peer.plain), \(article(device.kind)) "
            + "\(device.kind.name) device: it has the characteristics \(list)."
    }

    /// What to say of a link whose MTU is smaller than the protocol wants.
    ///
    /// - Parameter device: The device.
    /// - Returns: A sentence; `nil` when there is nothing to say.
    public static func note(onMTUOf device: WiFiDevice) -> String? {
        guard device.mtu < device.kind.comfortableMTU else { return nil }
        return
            "The device takes only \(device.mtu - 3) octets at a time (MTU \(device.mtu)); it works, but slower."
    }

    /// That a device speaks no protocol for Wi-Fi credentials.
    ///
    /// - Parameters:
    ///   - target: The device as the person has named it.
    ///   - kind: The protocol that was tried.
    ///   - missing: What was missing when it was tried.
    ///   - having: The characteristics that the device has.
    /// - Returns: A sentence.
    public static func wrongDevice(
        _ target: String, _ kind: WiFiProtocol, missing: [BluetoothUUID], having: [BluetoothUUID]
    ) -> String {
        let absent = kind.characteristics.filter { !having.contains($0.uuid) }
        let unusable = kind.characteristics.filter { missing.contains($0.uuid) && having.contains($0.uuid) }
        let lacks =
            absent.isEmpty
            ? [] : ["it lacks " + absent.map { "\($0.name) (\($0.uuid))" }.joined(separator: ", ")]
        let faults = lacks + unusable.map { "its \($0.name) (\($0.uuid)) \($0.lack)" }
        return
            "\(target) is not \(article(kind)) \(kind.name) device that can be used: "
            + "\(faults.isEmpty ? "it does not offer what it should" : faults.joined(separator: ", ")). Nothing was "
            + "written to it. If it is one, update its firmware; `lantern gatt tree \(target)` shows what it has."
    }

    private static func article(_ kind: WiFiProtocol) -> String { kind.name.hasPrefix("I") ? "an" : "a" }

    /// That a device has nothing of any protocol for Wi-Fi credentials.
    ///
    /// - Parameters:
    ///   - target: The device as the person has named it.
    ///   - kinds: The protocols that were tried.
    /// - Returns: A sentence.
    public static func wrongDevice(_ target: String, _ kinds: [WiFiProtocol]) -> String {
        let names = kinds.map { $0.name }.joined(separator: " nor ")
        return
            "\(target) takes no Wi-Fi credentials that this version knows of: it is neither \(names). Nothing was "
            + "written to it; `lantern gatt tree \(target)` shows what it has."
    }

    /// The state of a device's Wi-Fi.
    ///
    /// - Parameter state: The state.
    /// - Returns: A sentence.
    public static func sentence(_ state: WiFiDeviceState) -> String {
        let name = state.ssid.map { "“\(Self.name($0))”" } ?? "its network"
        switch state.word {
        case .notConfigured:
            return "The device has no Wi-Fi credentials yet: give it some with `wifi provision`."
        case .configured:
            return "The device knows \(name) but is not connected to it: wait a little, or give it other "
                + "credentials with `wifi provision`."
        case .connecting: return "The device is connecting to \(name); ask again in half a minute."
        case .connected:
            let details = [state.ip, state.rssi.map { "\($0) dBm" }].compactMap { $0 }
                .joined(separator: ", ")
            let url = state.url.map { " Go on at \($0)" } ?? ""
            return "The device is connected to \(name)\(details.isEmpty ? "." : ": \(details).")\(url)"
        case .failed:
            let back =
                state.ssid.map { $0.isEmpty } ?? true
                ? "" : " It returns to \(name), which has worked before."
            return
                "The device could not join the network: check its name and password, then try `wifi provision` "
                + "again.\(back)"
        case .stopped: return stopped
        case .authorizationRequired:
            return "The device accepts no credentials yet: press its button, then use `wifi provision`."
        case .authorized: return "The device accepts credentials: give it some with `wifi provision`."
        case .unknown:
            return
                "The device is in the state \(state.code), which this version does not know: update Lantern."
        }
    }

    /// What a device says that takes no credentials.
    private static let stopped =
        "The device accepts no credentials now: restart it or press its button, then try again."

    /// What a device has answered to credentials.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - code: The octet that says so.
    /// - Returns: A sentence.
    public static func sentence(_ answer: WiFiAnswer, code: UInt8) -> String {
        switch answer {
        case .stored: "The device has accepted the credentials."
        case .invalidSSIDLength: "The device refused the network's name: give one of 1 to 32 octets."
        case .invalidPasswordLength:
            "The device refused the password's length: give one of at most 63 octets."
        case .storageFailure:
            "The device could not keep the credentials: restart it, then try again; its memory may be full."
        case .unknown:
            "The device refused the credentials for the reason \(code), which this version does not know: "
                + "update Lantern, then try again."
        }
    }

    /// An error that a device reports.
    ///
    /// - Parameter trouble: The error.
    /// - Returns: A sentence, and what the device says.
    public static func sentence(_ trouble: ReportedWiFiError) -> String {
        let advice =
            switch trouble.word {
            case .invalidMessage:
                "The device did not understand a message: update its firmware, then try again."
            case .scanFailed: "The device could not look for networks: restart it, then try again."
            case .credentialWriteFailed: "The device could not accept the credentials: try again."
            case .storageError: "The device could not store something: restart it, then try again."
            case .connectionTimeout:
                "The network did not answer the device: check that it is in reach, and its name, then try again."
            case .unknownMessageType: "The device does not know a message: update its firmware."
            case .unableToConnect:
                "The device is not in the network: check the password and the network's name."
            case .notAuthorized:
                "The device accepts no credentials before somebody has pressed its button: press it, then try again."
            case .badHostName:
                "The device cannot use the name that it was given for itself: give it one of letters, digits and "
                    + "hyphens, then try again."
            case .unknown where trouble.code == 0xFF:
                "The device reports an unknown error. Try again; if that does not help, restart the device."
            case .unknown:
                "The device reports the error \(trouble.code), which this version does not know: update Lantern, then "
                    + "try again."
            }
        return trouble.message.isEmpty ? advice : "\(advice) (It says: \(trouble.message).)"
    }

    /// Why something is not done.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - password: What is known of the password that was sent.
    ///   - isSecurityKnown: Whether the network is known to want just a password.
    /// - Returns: A sentence.
    public static func sentence(
        _ failure: WiFiError, password: WiFiPasswordKind = .plain, isSecurityKnown: Bool = true
    ) -> String {
        switch failure {
        case .couldNotJoin where password == .typographic,
            .reported(ReportedWiFiError(.unableToConnect, code: 3)) where password == .typographic:
            "\(sentence(failure, isSecurityKnown: isSecurityKnown)) \(typographic)"
        case .couldNotJoin where password == .empty,
            .reported(ReportedWiFiError(.unableToConnect, code: 3)) where password == .empty:
            "The device could not join the network without a password: it may want one, or a user name, too, which "
                + "cannot be sent. `lantern wifi networks` shows how it is secured."
        case .couldNotJoin where !isSecurityKnown,
            .reported(ReportedWiFiError(.unableToConnect, code: 3)) where !isSecurityKnown:
            "The device could not join the network: its name or password may be wrong, or it wants a user name, too, "
                + "which cannot be sent. `lantern wifi networks` shows how it is secured."
        case .couldNotJoin:
            "The device could not join the network: check the password and the network's name."
        case .reported(let trouble): sentence(trouble)
        case .refused(let answer, let code): sentence(answer, code: code)
        case .notAcknowledged: "The device did not answer three times: restart it, then try again."
        case .noResult:
            "The device accepted the credentials and then said nothing more: ask with `wifi show`."
        case .notAuthorized: "Nobody has pressed the device's button: press it, then try again."
        case .stopped: stopped
        case .listTimeout(let received):
            "The list of networks was asked for three times and never ended (\(received) came): restart the device, "
                + "then try again."
        case .noAnswer: "The device did not answer: restart it, then try again."
        case .unsupported:
            "The device cannot do this: it does not offer it. Update its firmware if it should."
        case .request(let failure): "The device could not be asked: \(failure). Try again."
        case .unusable(let fault): "The device's answer makes no sense: \(fault). Update its firmware."
        case .linkLost:
            "The link ended before the device said whether it joined. It may be in the network: look for it there, or "
                + "ask with `wifi show`."
        }
    }

    /// What may be wrong with a password that has such characters.
    static let typographic =
        "The password has a typographic apostrophe, quotation mark or dash, or a no-break space, which phones and word "
        + "processors put in place of plain ones: try it with the plain ones."

    /// Why a name and password cannot be used.
    ///
    /// - Parameter fault: Why.
    /// - Returns: A sentence that says what to do.
    public static func sentence(_ fault: WiFiSecretError) -> String {
        switch fault {
        case .ssidLength(0): "Say which network: its name is empty."
        case .ssidLength(let count): "A network's name has 1 to 32 octets; this one has \(count)."
        case .passwordTooLong(let count): "A Wi-Fi password has at most 63 characters; this one has \(count)."
        case .keyInsteadOfPassword:
            "64 hexadecimal digits are a WPA key, which this device's protocol cannot carry: give the password instead."
        case .passwordMissing: "This network needs a password."
        case .passwordTooShort(let count):
            "A Wi-Fi password has at least 8 characters; this one has \(count)."
        case .badWEPKey(let count): "A WEP key has 5 or 13 characters; this one has \(count)."
        case .passwordForOpenNetwork: "This network is open: join it without a password."
        case .enterprise:
            "This network wants a user name as well, which cannot be sent: choose another network."
        }
    }

    /// What to ask a person.
    ///
    /// - Parameter question: The question.
    /// - Returns: A prompt that ends with a blank; without what is shown before it.
    public static func prompt(_ question: WiFiProvisioning.Question) -> String {
        switch question {
        case .network(let networks):
            let range = networks.isEmpty ? "" : networks.count == 1 ? "1, " : "1 to \(networks.count), "
            return "Which network? [\(range)r to look again, q to quit] "
        case .name: return "Its name: "
        case .password(let network): return "Password for “\(name(network.ssid))” (not shown): "
        case .confirmation(let ssid, let device):
            return "Send the credentials for “\(name(ssid))” to \(device.name?.string ?? "it") "
                + "(\(device.peer.plain))? They travel unencrypted. [y/N] "
        case .another(_, let network, _):
            let what = network.security == .open ? "Try again?" : "Try another password?"
            return "\(what) [Y/n, l for the list of networks] "
        }
    }

    /// What is under way after a report.
    ///
    /// - Parameter report: What was reported.
    /// - Returns: A sentence; `nil` when the report begins nothing that takes its time.
    public static func progress(_ report: WiFiReport) -> String? {
        switch report {
        case .listRequested(attempt: 1): "The device looks for networks…"
        case .listRequested(let attempt): "The device looks for networks, try \(attempt)…"
        case .sent(attempt: 1): "Sending the credentials…"
        case .sent(let attempt): "No answer; sending them again, try \(attempt)…"
        case .answered(.stored, _): "The device has accepted them…"
        case .state(let state) where state.word == .connecting:
            "The device is joining \(state.ssid.map { "“\(name($0))”" } ?? "the network")…"
        case .authorizationNeeded: "Waiting for the button…"
        default: nil
        }
    }

    /// What was wrong with an answer.
    ///
    /// - Parameter problem: What was wrong.
    /// - Returns: A sentence.
    public static func sentence(_ problem: WiFiProvisioning.Problem) -> String {
        switch problem {
        case .unclear: "Type one of the numbers, r or q."
        case .alike(let heard, let ssid):
            "The device hears “\(name(heard))”, but no “\(name(ssid))”: they look alike and are not the same."
        case .fault(let fault): sentence(fault)
        }
    }
}

extension HeardNetwork {
    /// How the network is secured, in a word or two.
    public var securityWords: String {
        switch security {
        case .open: "open"
        case .wep: "WEP"
        case .wpa2: "WPA2"
        case .wpa2Enterprise: "Enterprise, not possible"
        case .wpa3: "WPA3"
        case .unknown:
            if let spelling = securityName ?? securityCode.map({ "\($0)" }) {
                "unknown (\(spelling))"
            } else {
                "unknown"
            }
        }
    }
}
