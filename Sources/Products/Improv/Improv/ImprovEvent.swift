// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// What an Improv client reports; never a password.
public enum ImprovEvent: Hashable, Sendable {
    /// The link's state has changed.
    case state(DeviceLink.Report)
    /// What the device has, whether it fits or not.
    case characteristics([BluetoothUUID])
    /// The device fits and listens.
    case ready(ImprovPeer)
    /// The MTU of the link is now this, in octets.
    case mtu(Int)
    /// The device is now this far.
    case changed(ImprovState)
    /// The device reports what was wrong with the last command.
    case error(ImprovErrorCode)
    /// Credentials wait until somebody has pressed the device's button.
    case authorizationNeeded
    /// A command was sent.
    case sent(ImprovCommandID)
    /// The device shows which it is.
    case identified
    /// What the device is.
    case info(ImprovDeviceInfo)
    /// The networks that the device hears, as it has sent them.
    case networks([ImprovNetwork])
    /// Looking for networks, describing or identifying has failed.
    case failed(ImprovCommandID, ImprovError)
    /// The last credentials have led to this.
    case provisioned(ImprovOutcome)
    /// Something came that makes no sense.
    case fault(ImprovPacketError)
}

/// An Improv device that is ready for commands.
public struct ImprovPeer: Hashable, Sendable {
    /// The device, as the radio identifies it.
    public var peer: Peer
    /// Its name, if it says one.
    public var name: WireText?
    /// The MTU so far, in octets.
    public var mtu: Int
    /// Its state.
    public var state: ImprovState
    /// What it can do.
    public var capabilities: ImprovCapabilities
}

/// Why a command has no result.
public enum ImprovError: Error, Hashable, Sendable {
    /// The device refused it.
    case refused(ImprovErrorCode)
    /// The device did not answer in time.
    case timeout
    /// The device does not have this capability.
    case unsupported
    /// The device takes no credentials now, as its state says; nothing was written.
    case stopped
    /// The command could not be written.
    case writeFailed(GATTRequestError)
    /// Too many commands wait.
    case tooMany
    /// The answer made no sense.
    case badResult(ImprovPacketError)
    /// The link is gone.
    case disconnected
}

/// The outcome of sent credentials.
public enum ImprovOutcome: Hashable, Sendable {
    /// The device is in the network; where to go on in a browser, if it says so. That may be anything.
    case connected(url: WireText?)
    /// The device could not join the network.
    case unableToConnect
    /// Nobody has pressed the device's button, or not in time.
    case notAuthorized
    /// The device did not do it.
    case failed(ImprovError)
}
