// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import BluetoothLE
public import Companion

/// A request to an ``Explorer``.
///
/// All but ``disconnect``, ``scan(_:)``, ``help(_:)`` and ``exit`` need the link; the first that does opens it.
public enum ExplorerRequest: Hashable, Sendable {
    /// Open the link, to another device if one is given.
    case connect(DeviceAddress?)
    /// Close the link.
    case disconnect
    /// Scan for as long.
    case scan(Duration)
    /// Say the MTU, in octets; fail when it is smaller than the one given.
    case mtu(Int?)
    /// Say the level of security in gatttool's words, or fail when the link has not as much.
    case securityLevel(String)
    /// Pair, or pair anew.
    case pair(PairingOptions)
    /// Say what protects the link.
    case security
    /// Find all services and read all values.
    case tree
    /// List the primary services, all or those of a UUID.
    case primary(BluetoothUUID?)
    /// List the included services whose declarations have these handles.
    case included(ClosedRange<UInt16>)
    /// List the characteristics that have these handles, all or those of a UUID.
    case characteristics(ClosedRange<UInt16>, BluetoothUUID?)
    /// List all attributes that have these handles.
    case attributes(ClosedRange<UInt16>)
    /// Read a value.
    case read(AttributeReference)
    /// Read the values of all attributes of a UUID that have these handles.
    case readByUUID(BluetoothUUID, ClosedRange<UInt16>)
    /// Write a value, with or without a response.
    case write(AttributeReference, [UInt8], isAnswered: Bool)
    /// Subscribe to a characteristic.
    case watch(AttributeReference)
    /// Unsubscribe from a characteristic, or from all.
    case unwatch(AttributeReference?)
    /// Wait for as long, or until so many values have been received.
    case wait(Duration, values: Int?)
    /// Show how these commands of the shell are typed.
    case help([VerbHelp])
    /// End the shell.
    case exit
}

/// How a person wants to pair.
public struct PairingOptions: Hashable, Sendable {
    /// What this side can show and take; `nil` for all that a person at a computer can.
    public var ioCapability: SMP.IOCapability?
    /// Whether the keys are kept.
    public var keepsKeys = true
    /// What the device has handed over another way, as ``OutOfBandData`` reads it; empty for nothing.
    public var outOfBand: [UInt8] = []
    /// Whether the device gets such data of this side.
    public var showsOutOfBand = false

    /// Whatever the device can do.
    public init() {}
}
