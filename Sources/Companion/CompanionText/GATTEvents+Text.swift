// SPDX-License-Identifier: Apache-2.0

import BLEWire
public import Companion
import ProductRegistry

extension ValueRead {
    /// The value for a person, and below it why there may be more.
    ///
    /// - Parameter columns: Columns that there are.
    /// - Returns: The lines.
    public func lines(columns: Int) -> [StyledText] {
        let line = ValueText.line(octets, of: attribute.target?.layout, columns: columns)
        guard let incomplete else { return [line] }
        return [line, ValueText.incomplete(octets, incomplete)]
    }
}

extension ValueReceived: EventText {
    /// The line that reports it.
    public var line: EventLine {
        EventLine(
            .incoming,
            ValueText.words(for: octets, attribute.target?.layout)
                + "  (\(attribute.title) at \(attribute.handle.text))")
    }
}

extension ValueWritten: EventText {
    /// The line that reports it.
    public var line: EventLine {
        let count = octets.count == 1 ? "1 octet" : "\(octets.count) octets"
        return EventLine(
            .good,
            "\(count) \(isAnswered ? "written" : "sent") to \(attribute.title) at \(attribute.handle.text).")
    }
}

extension RecordingPlayed: EventText {
    /// The line that reports it.
    public var line: EventLine {
        EventLine(.good, "sent \(sent) of \(recorded) recorded values of \(attribute.words)")
    }
}

extension GATTChange: EventText {
    /// The line that reports it.
    public var line: EventLine {
        let place = path.map { $0.name }.joined(separator: " › ")
        func tail(_ value: String?) -> String { value == nil ? "" : ": " + words(for: value) }
        switch kind {
        case .added: return EventLine(.good, "\(what) \(place)" + tail(after), mayBeCut: true)
        case .removed: return EventLine(.failure, "\(what) \(place)" + tail(before), mayBeCut: true)
        case .changed:
            let place = path.isEmpty ? "the device" : place
            return EventLine(
                .warning, "\(what) of \(place): \(words(for: before)) → \(words(for: after))", mayBeCut: true)
        }
    }

    /// The difference as a line that begins with `+`, `-` or `~`.
    public var styledLine: StyledText {
        let (mark, style): (String, TextStyle) =
            switch kind {
            case .added: ("+", .green)
            case .removed: ("-", .red)
            case .changed: ("~", .yellow)
            }
        return StyledText("\(mark) \(line.text)", style)
    }

    private func words(for fact: String?) -> String {
        guard let fact else { return "none" }
        let isValue = kind != .changed || what == "value"
        guard isValue, let value = [UInt8](hexadecimal: fact), let uuid = path.last?.uuid else {
            return fact.isEmpty ? "empty" : fact
        }
        return ValueText.words(for: value, uuid)
    }
}

extension AttributeTargetError {
    /// The fault in one sentence.
    ///
    /// - Parameter list: The command that lists all attributes.
    /// - Returns: The sentence.
    public func sentence(list: String) -> String {
        switch self {
        case .missing(.handle(let handle)):
            "The device has nothing at \(handle.text); `\(list)` shows all."
                + (Self.name(BluetoothUUID(handle.rawValue), handle) == nil
                    ? "" : Self.hint(BluetoothUUID(handle.rawValue), handle))
        case .uuidMeant(let uuid, let handle):
            "The device has nothing at \(handle.text); `\(list)` shows all." + Self.hint(uuid, handle)
        case .missing(let reference):
            "The device has no characteristic or descriptor \(Self.words(for: reference)); `\(list)` shows all."
        case .several(.name(let name), let handles):
            "The device has \(handles.count) attributes called \(PrintableText.quoted(name)): say which by its handle, one of "
                + handles.map { $0.text }.joined(separator: ", ") + "."
        case .several(let reference, let handles):
            "\(Self.words(for: reference)) occurs \(handles.count) times: say which by its handle, one of "
                + handles.map { $0.text }.joined(separator: ", ") + "."
        }
    }

    /// That a UUID is written without `0x`, where one may have been meant.
    private static func hint(_ uuid: BluetoothUUID, _ handle: AttributeHandle) -> String {
        guard let name = name(uuid, handle) else { return " If you mean the UUID, write \(uuid)." }
        return " If you mean the UUID of \(name), write \(uuid)."
    }

    private static func name(_ uuid: BluetoothUUID, _ handle: AttributeHandle) -> String? {
        AttributeTarget.typed(uuid, at: handle).name ?? UUIDNames.name(ofService: uuid)
    }

    private static func words(for reference: AttributeReference) -> String {
        if case .name(let name) = reference {
            "called \(PrintableText.quoted(name))"
        } else {
            reference.description
        }
    }
}

extension ConfigurationMissing: EventText {
    /// The line that reports it.
    public var line: EventLine {
        EventLine(
            .warning,
            "\(attribute.title) at \(attribute.handle.text) has no descriptor 2902 that switches it on; it is listened to all the same."
        )
    }
}
