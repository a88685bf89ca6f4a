// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Companion
public import Improv

extension WiFiProtocol {
    /// Improv.
    public static var improv: WiFiProtocol {
        WiFiProtocol(
            name: "Improv",
            characteristics: [
                Characteristic(ImprovUUID.state, "Current State", lack: "does not notify"),
                Characteristic(ImprovUUID.error, "Error State", lack: "does not notify"),
                Characteristic(ImprovUUID.command, "RPC Command", lack: "cannot be written"),
                Characteristic(ImprovUUID.result, "RPC Result", lack: "does not notify"),
                Characteristic(ImprovUUID.capabilities, "Capabilities", lack: "cannot be read"),
            ], carriesKeys: true, joinSeconds: Int(ImprovLimit.joinSeconds))
    }
}

extension HeardNetwork {
    /// Makes a network of Improv's.
    ///
    /// - Parameter network: The network.
    public init(_ network: ImprovNetwork) {
        let text = network.security.asciiLowercased
        let security: NetworkSecurity =
            if text == "no" {
                .open
            } else if text.contains("eap") {
                .wpa2Enterprise
            } else if text.contains("wpa2") || text.contains("wpa") && !text.contains("wpa3") {
                .wpa2
            } else if text.contains("wpa3") {
                .wpa3
            } else if text.contains("wep") {
                .wep
            } else {
                .unknown
            }
        self.init(
            ssid: network.ssid, rssi: network.rssi.map { Int($0) }, security: security,
            securityName: network.security.string)
    }
}

extension WiFiDeviceState {
    /// Makes a state of Improv's.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - url: Where to go on in a browser.
    public init(_ state: ImprovState, url: WireText? = nil) {
        let word: Word =
            switch state {
            case .stopped: .stopped
            case .authorizationRequired: .authorizationRequired
            case .authorized: .authorized
            case .provisioning: .connecting
            case .provisioned: .connected
            default: .unknown
            }
        self.init(word, code: state.rawValue, url: url?.string)
    }
}

extension ReportedWiFiError {
    /// Makes an error of Improv's.
    ///
    /// - Parameter error: The error.
    public init(_ error: ImprovErrorCode) {
        let word: Word =
            switch error {
            case .invalidPacket: .invalidMessage
            case .unknownCommand: .unknownMessageType
            case .unableToConnect: .unableToConnect
            case .notAuthorized: .notAuthorized
            case .badHostName: .badHostName
            default: .unknown
            }
        self.init(word, code: error.rawValue)
    }
}
