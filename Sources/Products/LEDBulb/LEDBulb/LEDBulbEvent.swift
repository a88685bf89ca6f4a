// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// What a client of a bulb reports.
public enum LEDBulbEvent: Hashable, Sendable {
    /// The link's state has changed.
    case state(DeviceLink.Report)
    /// The device cannot be used as a bulb; nothing was written, and its link is being closed.
    case unfit(BulbIncompatibility)
    /// The bulb is ready: the radio's name for it, the name that it advertises if that was heard, its dialect, and whether it
    /// reports its state.
    case ready(Peer, name: WireText?, BulbDialect, reportsState: Bool)
    /// What the bulb reports with has no descriptor that switches it on; it is listened to all the same.
    case configurationMissing(GATT.Characteristic)
    /// The bulb was asked for its name: the name; `nil` when it says none.
    case named(WireText?)
    /// A command was written, as these octets.
    case written(BulbCommand, [UInt8])
    /// A command was not taken.
    case refused(BulbCommand, BulbCommandError)
    /// Everything that was written has reached the bulb, as far as it can say.
    case settled
    /// The bulb has reported its state.
    case stateReported(BulbState)
    /// The state could not be read.
    case stateFailed(BulbStateError)
    /// The bulb that cycles through the hues has come to this one.
    case shown(RGBColor)
    /// The turns are done.
    case cycleEnded(turns: UInt32)
    /// The bulb has notified something that is no state.
    case unknown([UInt8])
}

/// Why a device cannot be used as a bulb.
public enum BulbIncompatibility: Hashable, Sendable {
    /// It has the characteristics of no dialect.
    case notABulb
    /// It has the characteristics of several dialects: somebody must say which.
    case ambiguous([BulbDialect])
    /// It lacks the characteristic of the dialect that was given; the dialects that it has them of.
    case lacks(BulbDialect, speaks: [BulbDialect])
}

/// Why a command was not carried out.
public enum BulbCommandError: Hashable, Sendable {
    /// The dialect has no such command.
    case notInDialect(BulbDialect)
    /// The write failed.
    case writeFailed(GATTRequestError)
    /// The link has ended before it could be written.
    case disconnected
}

/// Why the state could not be read.
public enum BulbStateError: Hashable, Sendable {
    /// Bulbs of this dialect do not report it.
    case notInDialect(BulbDialect)
    /// Bulbs of this dialect report it, but this one has nothing that notifies.
    case noNotifications(BulbDialect)
    /// It was asked and did not answer.
    case noAnswer
    /// It was asked and answered something that is no state: what it has sent, in order.
    case notUnderstood([[UInt8]])
    /// Asking failed.
    case failed(GATTRequestError)
}
