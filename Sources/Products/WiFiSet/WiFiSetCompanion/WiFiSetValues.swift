// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
public import WiFiSet

extension WiFiProtocol {
    /// WiFiSet.
    public static var wifiSet: WiFiProtocol {
        WiFiProtocol(
            name: "WiFiSet",
            characteristics: [
                Characteristic(WiFiSetUUID.wifiList, "WiFi List", lack: "does not notify"),
                Characteristic(WiFiSetUUID.credentialWrite, "Credential Write", lack: "cannot be written"),
                Characteristic(WiFiSetUUID.status, "Status", lack: "does not notify"),
            ], carriesKeys: false, comfortableMTU: WiFiSetLimit.comfortableMTU,
            joinSeconds: Int(WiFiSetLimit.joinSeconds))
    }
}

extension HeardNetwork {
    /// Makes a network of WiFiSet's.
    ///
    /// - Parameter network: The network.
    public init(_ network: WiFiNetwork) {
        let security: NetworkSecurity =
            switch network.security {
            case .open: .open
            case .wep: .wep
            case .wpa2: .wpa2
            case .wpa2Enterprise: .wpa2Enterprise
            case .wpa3: .wpa3
            default: .unknown
            }
        self.init(
            ssid: network.ssid, rssi: Int(network.rssi), security: security,
            securityCode: network.security.rawValue, channel: network.channel)
    }
}

extension WiFiDeviceState {
    /// Makes a state of WiFiSet's.
    ///
    /// - Parameter status: The state.
    public init(_ status: WiFiStatus) {
        let word: Word =
            switch status.state {
            case .notConfigured: .notConfigured
            case .configured: .configured
            case .connecting: .connecting
            case .connected: .connected
            case .failed: .failed
            default: .unknown
            }
        let octets = [24, 16, 8, 0].map { "\(status.address >> UInt32($0) & 0xFF)" }
        self.init(
            word, code: status.state.rawValue, ssid: status.ssid, rssi: Int(status.rssi),
            ip: octets.joined(separator: "."))
    }
}

extension ReportedWiFiError {
    /// Makes an error of WiFiSet's.
    ///
    /// - Parameter report: The error.
    public init(_ report: WiFiErrorReport) {
        let word: Word =
            switch report.code {
            case .invalidMessage: .invalidMessage
            case .scanFailed: .scanFailed
            case .credentialWriteFailed: .credentialWriteFailed
            case .storageError: .storageError
            case .connectionTimeout: .connectionTimeout
            case .unknownMessageType: .unknownMessageType
            default: .unknown
            }
        self.init(word, code: report.code.rawValue, message: report.message.string)
    }
}

extension WiFiAnswer {
    /// Makes an answer of WiFiSet's.
    ///
    /// - Parameter answer: The answer.
    public init(_ answer: WiFiAcknowledgment) {
        self =
            switch answer {
            case .stored: .stored
            case .invalidSSIDLength: .invalidSSIDLength
            case .invalidPasswordLength: .invalidPasswordLength
            case .storageFailure: .storageFailure
            default: .unknown
            }
    }
}
