// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion

extension LinesLeftOut: EventText {
    /// The event in one line.
    public var line: EventLine {
        EventLine(.quiet, "\(lines == 1 ? "1 line was" : "\(lines) lines were") left out: nobody read them")
    }
}

extension DeviceAdvertising: EventText {
    /// The event in one line.
    public var line: EventLine {
        let title = deviceName.map { " as \(PrintableText.quoted($0))" } ?? ""
        return EventLine(.good, "advertising\(title)\(detail.map { ", \($0)" } ?? ""); Control-C ends it")
    }
}

extension DeviceAdvertisingStopped: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.warning, "off the air; trying again: \(reason)") }
}

extension DeviceAdvertisingResumed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.good, "advertising again") }
}

extension ClientSubscribed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.quiet, "a client subscribes to \(attribute.values)") }
}

extension ClientUnsubscribed: EventText {
    /// The event in one line.
    public var line: EventLine { EventLine(.quiet, "a client no longer subscribes to \(attribute.values)") }
}

extension AttributeWritten: EventText {
    /// The event in one line.
    public var line: EventLine {
        let value = octets.isEmpty ? "nothing" : octets.hexadecimal
        guard let reason else {
            return EventLine(.incoming, "\(value) written to \(attribute.words)", mayBeCut: true)
        }
        return EventLine(.warning, "refused (\(reason)): \(value) to \(attribute.words)", mayBeCut: true)
    }
}

extension ServedAttribute {
    /// What people call it, else its UUID; and its handle, where it is known.
    public var words: String {
        let name = title ?? uuid?.description
        guard let handle else { return name ?? "an attribute" }
        return name.map { "\($0) at \(handle.text)" } ?? handle.text
    }

    fileprivate var values: String { "values of \(words)" }
}
