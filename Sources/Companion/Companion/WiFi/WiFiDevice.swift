// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A device that accepts Wi-Fi credentials, by whatever protocol.
public struct WiFiDevice: Hashable, Sendable {
    /// The device, as the radio identifies it.
    public var peer: Peer
    /// Its name, if it says one.
    public var name: WireText?
    /// The MTU of the link, in octets.
    public var mtu: Int
    /// The protocol.
    public var kind: WiFiProtocol
    /// Its state, where the device says that from the beginning.
    public var state: WiFiDeviceState?
    /// Whether it can show itself, by a light or a sound.
    public var canIdentify: Bool

    /// Makes a device.
    public init(
        _ peer: Peer, name: WireText?, mtu: Int, kind: WiFiProtocol, state: WiFiDeviceState? = nil,
        canIdentify: Bool = false
    ) {
        self.peer = peer
        self.name = name
        self.mtu = mtu
        self.kind = kind
        self.state = state
        self.canIdentify = canIdentify
    }
}

/// A protocol that carries Wi-Fi credentials.
public struct WiFiProtocol: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The characteristics by which a device is recognized, with the names that the protocol's document gives them.
    public var characteristics: [Characteristic]
    /// Whether it carries a WPA key of 64 hexadecimal digits in place of a password.
    public var carriesKeys: Bool
    /// The MTU below which to warn that it is slow, in octets.
    public var comfortableMTU: Int
    /// How long joining a network may take, in seconds.
    public var joinSeconds: Int

    /// A characteristic with its name.
    public struct Characteristic: Hashable, Sendable {
        /// Its UUID.
        public var uuid: BluetoothUUID
        /// Its name.
        public var name: String
        /// What is wrong with one that is there and cannot be used, such as "does not notify".
        public var lack: String

        /// Makes a characteristic.
        public init(_ uuid: BluetoothUUID, _ name: String, lack: String) {
            self.uuid = uuid
            self.name = name
            self.lack = lack
        }
    }

    /// Makes a protocol.
    public init(
        name: String, characteristics: [Characteristic], carriesKeys: Bool, comfortableMTU: Int = 0,
        joinSeconds: Int
    ) {
        self.name = name
        self.characteristics = characteristics
        self.carriesKeys = carriesKeys
        self.comfortableMTU = comfortableMTU
        self.joinSeconds = joinSeconds
    }
}

/// The state of a device's Wi-Fi.
public struct WiFiDeviceState: Hashable, Sendable {
    /// What it is, whatever protocol says so.
    public enum Word: String, Hashable, Sendable, CaseIterable {
        /// No credentials are stored.
        case notConfigured = "not_configured"
        /// Credentials are stored but the device is not connected.
        case configured
        /// The device tries to connect.
        case connecting
        /// The device is connected.
        case connected
        /// The device could not connect.
        case failed
        /// The device takes no credentials now.
        case stopped
        /// Somebody has to press the device's button before it takes credentials.
        case authorizationRequired = "authorization_required"
        /// The device takes credentials.
        case authorized
        /// Something else.
        case unknown
    }

    /// What it is.
    public var word: Word
    /// The octet that says so.
    public var code: UInt8
    /// The network in use; empty when there is none, `nil` when the device does not say.
    public var ssid: WireText?
    /// How strong the network is, in dBm; 0 when not connected, `nil` when the device does not say.
    public var rssi: Int?
    /// The IPv4 address; 0.0.0.0 when not connected, `nil` when the device does not say.
    public var ip: String?
    /// Where to go on in a browser; it may be anything.
    public var url: String?

    /// Makes a state.
    public init(
        _ word: Word, code: UInt8, ssid: WireText? = nil, rssi: Int? = nil, ip: String? = nil,
        url: String? = nil
    ) {
        self.word = word
        self.code = code
        self.ssid = ssid
        self.rssi = rssi
        self.ip = ip
        self.url = url
    }
}

/// An error that a device reports of its own accord.
public struct ReportedWiFiError: Hashable, Sendable {
    /// The errors of all protocols.
    public enum Word: String, Hashable, Sendable, CaseIterable {
        /// A message made no sense.
        case invalidMessage = "invalid_message"
        /// The device could not look for networks.
        case scanFailed = "scan_failed"
        /// The credentials could not be taken.
        case credentialWriteFailed = "credential_write_failed"
        /// The device could not store something.
        case storageError = "storage_error"
        /// The network did not answer in time.
        case connectionTimeout = "connection_timeout"
        /// The device does not know a message.
        case unknownMessageType = "unknown_message_type"
        /// The device could not join the network.
        case unableToConnect = "unable_to_connect"
        /// Somebody has to press the device's button first.
        case notAuthorized = "not_authorized"
        /// The name that the device was given for itself is none that a host can have.
        case badHostName = "bad_host_name"
        /// Something else.
        case unknown
    }

    /// What kind of error.
    public var word: Word
    /// The octet that says so.
    public var code: UInt8
    /// What the device says of it; it may be anything.
    public var message: String

    /// Makes an error.
    public init(_ word: Word, code: UInt8, message: String = "") {
        self.word = word
        self.code = code
        self.message = message
    }
}

/// A device's answer to credentials.
public enum WiFiAnswer: String, Hashable, Sendable, CaseIterable {
    /// Kept; the device tries to join.
    case stored
    /// The name's length is not right.
    case invalidSSIDLength = "invalid_ssid_length"
    /// The password's length is not right.
    case invalidPasswordLength = "invalid_password_length"
    /// The device could not keep them.
    case storageFailure = "storage_failure"
    /// Something else.
    case unknown
}

/// Why a request to a device has failed.
public enum WiFiError: Error, Hashable, Sendable {
    /// The device could not join the network.
    case couldNotJoin
    /// The device reports an error.
    case reported(ReportedWiFiError)
    /// The device did not take the credentials.
    case refused(WiFiAnswer, code: UInt8)
    /// The device did not answer the credentials.
    case notAcknowledged
    /// The device has accepted the credentials and reported nothing since.
    case noResult
    /// Nobody has pressed the device's button.
    case notAuthorized
    /// The device takes no credentials now; nothing was sent.
    case stopped
    /// The list never ended; how many networks came the last time.
    case listTimeout(received: Int)
    /// The device did not answer in time.
    case noAnswer
    /// The device cannot do this.
    case unsupported
    /// The device did not let it be asked for or written.
    case request(GATTRequestError)
    /// The answer made no sense; what is wrong with it.
    case unusable(String)
    /// The link is gone.
    case linkLost

    /// Whether nothing came, rather than something that refuses.
    public var isTimeout: Bool {
        switch self {
        case .notAcknowledged, .noResult, .listTimeout, .noAnswer, .request(.timeout): true
        default: false
        }
    }
}

/// What a device that accepts Wi-Fi credentials reports.
public enum WiFiReport: Hashable, Sendable {
    /// It is connected and ready.
    case ready(WiFiDevice)
    /// A network of the list, as it is received.
    case network(HeardNetwork)
    /// The list was requested; the number of the attempt, from 1.
    case listRequested(attempt: Int)
    /// The list is complete.
    case list(HeardNetworks)
    /// The list could not be read.
    case listFailed(WiFiError)
    /// Its state.
    case state(WiFiDeviceState)
    /// The state could not be read.
    case stateFailed(WiFiError)
    /// Credentials were sent; the number of the attempt, from 1.
    case sent(attempt: Int)
    /// It has answered the credentials.
    case answered(WiFiAnswer, attempt: Int)
    /// Credentials wait until somebody has pressed its button.
    case authorizationNeeded
    /// It reports an error.
    case trouble(ReportedWiFiError)
    /// It has joined the network; whether its state was reported before.
    case joined(WiFiDeviceState, isRepeated: Bool)
    /// It has not joined the network.
    case notJoined(WiFiError)
    /// It shows itself, by a light or a sound.
    case identified
    /// It cannot show itself.
    case identifyFailed(WiFiError)
    /// What it is.
    case description(WiFiDeviceDescription)
    /// Its description could not be read.
    case descriptionFailed(WiFiError)
}

/// A device's description of itself.
public struct WiFiDeviceDescription: Hashable, Sendable {
    /// Its firmware.
    public var firmware: String
    /// Its firmware's version.
    public var version: String
    /// Its chip.
    public var hardware: String
    /// Its name.
    public var name: String

    /// Makes a description.
    public init(firmware: String, version: String, hardware: String, name: String) {
        self.firmware = firmware
        self.version = version
        self.hardware = hardware
        self.name = name
    }
}
