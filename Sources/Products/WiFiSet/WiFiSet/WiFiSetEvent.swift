// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// What a WiFiSet client reports; never a password.
public enum WiFiSetEvent: Hashable, Sendable {
    /// The link's state has changed.
    case state(DeviceLink.Report)
    /// What the device has, whether it fits or not.
    case characteristics([BluetoothUUID])
    /// The device fits and listens; how its radio names it, its own name if it says one, and the MTU so far, in octets.
    case ready(Peer, name: WireText?, mtu: Int)
    /// The MTU of the link is now this, in octets.
    case mtu(Int)
    /// The list was requested; the number of the attempt, from 1.
    case listRequested(attempt: Int)
    /// A network that the device hears.
    case network(WiFiNetwork)
    /// The list is complete.
    case list(WiFiNetworkList)
    /// The list could not be read.
    case listFailed(WiFiListError)
    /// Credentials were written; the number of the attempt, from 1.
    case written(attempt: Int)
    /// The device has answered the credentials.
    case acknowledged(WiFiAcknowledgment, attempt: Int)
    /// The state of the device's Wi-Fi.
    case status(WiFiStatus)
    /// The state could not be read.
    case statusFailed(GATTRequestError)
    /// The device reports an error.
    case error(WiFiErrorReport)
    /// The last credentials have led to this.
    case provisioned(WiFiOutcome)
    /// Something came that is not a message for this side.
    case fault(WiFiMessageError)
    /// A message came twice, or some are missing.
    case sequence(WiFiSequence.Verdict)
}

/// A complete list of networks.
public struct WiFiNetworkList: Hashable, Sendable {
    /// The networks in the order in which they came.
    public var networks: [WiFiNetwork]
    /// How many the device has counted.
    public var count: Int
    /// How often sequence numbers did not follow each other while the list came.
    public var sequenceGaps: Int
    /// How many messages came twice.
    public var duplicates: Int

    /// Makes a list.
    public init(networks: [WiFiNetwork] = [], count: Int = 0, sequenceGaps: Int = 0, duplicates: Int = 0) {
        self.networks = networks
        self.count = count
        self.sequenceGaps = sequenceGaps
        self.duplicates = duplicates
    }
}

/// Why there is no list of networks.
public enum WiFiListError: Hashable, Sendable {
    /// It was asked for three times and never ended; how many networks came the last time.
    case timeout(received: Int)
    /// The device reported this error, and nothing more of the list came.
    case error(WiFiErrorReport)
    /// The device did not let its list be subscribed to.
    case refused(GATTRequestError)
    /// The link is gone.
    case disconnected
}

/// The outcome of sent credentials.
public enum WiFiOutcome: Hashable, Sendable {
    /// The device is in the network.
    case connected(WiFiStatus)
    /// The device did not take the credentials.
    case refused(WiFiAcknowledgment)
    /// The device could not join the network; the error that it reported meanwhile, if any.
    case failed(WiFiErrorReport?)
    /// The device did not answer three times; the error that it reported meanwhile, if any.
    case notAcknowledged(WiFiErrorReport?)
    /// The device has accepted the credentials and reported nothing since.
    case noResult
    /// The credentials could not be written.
    case writeFailed(GATTRequestError)
    /// The link is gone.
    case disconnected
}
