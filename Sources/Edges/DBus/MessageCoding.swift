// SPDX-License-Identifier: Apache-2.0

import CSDBus

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

typealias SDBus = UnsafePointer<lantern_sd_bus>

/// A negative result of sd-bus.
struct SystemCallError: Error {
    let number: CInt

    /// What it means.
    var words: String { String(cString: strerror(number)) }

    /// Why nothing was sent: the connection has gone, though the library has not said so yet, or what was to be sent is at fault.
    func unsent(_ why: String) -> DBusError {
        [ECONNRESET, ENOTCONN, EPIPE].contains(number) ? .lost(words) : .invalid(why)
    }

    static func check(_ result: CInt) throws(SystemCallError) {
        if result < 0 { throw SystemCallError(number: -result) }
    }
}

private func code(_ letter: Character) -> CChar { CChar(bitPattern: letter.asciiValue ?? 0) }

/// Appends values to a message.
struct MessageWriter {
    let sd: SDBus
    let message: OpaquePointer

    func append(_ value: DBusValue) throws(SystemCallError) {
        switch value {
        case .octet(let number): try append("y", number)
        case .bool(let isTrue): try append("b", CInt(isTrue ? 1 : 0))
        case .int16(let number): try append("n", number)
        case .uint16(let number): try append("q", number)
        case .int32(let number): try append("i", number)
        case .uint32(let number): try append("u", number)
        case .int64(let number): try append("x", number)
        case .uint64(let number): try append("t", number)
        case .double(let number): try append("d", number)
        case .string(let text): try append("s", text)
        case .path(let text): try append("o", text)
        case .signature(let text): try append("g", text)
        case .descriptor(let descriptor): try append("h", descriptor.number)
        case .octets(let octets):
            let result = octets.withUnsafeBytes {
                sd.pointee.message_append_array(message, code("y"), $0.baseAddress, $0.count)
            }
            try SystemCallError.check(result)
        case .array(let values, let element):
            try open("a", element)
            for value in values { try append(value) }
            try close()
        case .dictionary(let entries, let key, let value):
            try open("a", "{" + key + value + "}")
            for entry in entries {
                try open("e", key + value)
                try append(entry.key)
                try append(entry.value)
                try close()
            }
            try close()
        case .structure(let fields):
            try open("r", fields.map(\.signature).joined())
            for field in fields { try append(field) }
            try close()
        case .variant(let value):
            try open("v", value.signature)
            try append(value)
            try close()
        }
    }

    private func append<Number: BitwiseCopyable>(_ type: Character, _ number: Number) throws(SystemCallError)
    {
        let result = withUnsafePointer(to: number) {
            sd.pointee.message_append_basic(message, code(type), $0)
        }
        try SystemCallError.check(result)
    }

    private func append(_ type: Character, _ text: String) throws(SystemCallError) {
        guard !text.utf8.contains(0) else { throw SystemCallError(number: EINVAL) }
        let result = text.withCString { sd.pointee.message_append_basic(message, code(type), $0) }
        try SystemCallError.check(result)
    }

    private func open(_ type: Character, _ contents: String) throws(SystemCallError) {
        try SystemCallError.check(sd.pointee.message_open_container(message, code(type), contents))
    }

    private func close() throws(SystemCallError) {
        try SystemCallError.check(sd.pointee.message_close_container(message))
    }
}

/// Reads the values of a message; sd-bus has checked it against the rules of D-Bus, which bound the depth, too.
struct MessageReader {
    let sd: SDBus
    let message: OpaquePointer

    func values() throws(SystemCallError) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next() { values.append(value) }
        return values
    }

    /// The next value of the container that was entered; `nil` at its end.
    private func next() throws(SystemCallError) -> DBusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let result = sd.pointee.message_peek_type(message, &type, &contents)
        try SystemCallError.check(result)
        guard result > 0 else { return nil }
        let signature = contents.map { String(cString: $0) } ?? ""
        switch Character(Unicode.Scalar(UInt8(bitPattern: type))) {
        case "y": return .octet(try number("y", 0))
        case "b": return .bool(try number("b", CInt(0)) != 0)
        case "n": return .int16(try number("n", 0))
        case "q": return .uint16(try number("q", 0))
        case "i": return .int32(try number("i", 0))
        case "u": return .uint32(try number("u", 0))
        case "x": return .int64(try number("x", 0))
        case "t": return .uint64(try number("t", 0))
        case "d": return .double(try number("d", 0.0))
        case "s": return .string(try text("s"))
        case "o": return .path(try text("o"))
        case "g": return .signature(try text("g"))
        case "h": return .descriptor(try descriptor())
        case "a" where signature == "y": return .octets(try octets())
        case "a" where signature.hasPrefix("{"): return try dictionary(signature)
        case "a": return .array(try inside("a", signature), of: signature)
        case "r": return .structure(try inside("r", signature))
        case "v":
            guard let value = try inside("v", signature).first else { throw SystemCallError(number: EBADMSG) }
            return .variant(value)
        default: throw SystemCallError(number: EBADMSG)
        }
    }

    private func inside(_ type: Character, _ signature: String) throws(SystemCallError) -> [DBusValue] {
        try SystemCallError.check(sd.pointee.message_enter_container(message, code(type), signature))
        let values = try values()
        try SystemCallError.check(sd.pointee.message_exit_container(message))
        return values
    }

    private func dictionary(_ signature: String) throws(SystemCallError) -> DBusValue {
        let entry = String(signature.dropFirst().dropLast())
        try SystemCallError.check(sd.pointee.message_enter_container(message, code("a"), signature))
        var entries: [DBusValue: DBusValue] = [:]
        while true {
            let result = sd.pointee.message_enter_container(message, code("e"), entry)
            try SystemCallError.check(result)
            guard result > 0 else { break }
            guard let key = try next(), let value = try next() else { throw SystemCallError(number: EBADMSG) }
            entries[key] = value
            try SystemCallError.check(sd.pointee.message_exit_container(message))
        }
        try SystemCallError.check(sd.pointee.message_exit_container(message))
        // The key is of a basic type, whose signature is one letter.
        return .dictionary(entries, key: String(entry.prefix(1)), value: String(entry.dropFirst()))
    }

    private func number<Number: BitwiseCopyable>(
        _ type: Character, _ zero: Number
    ) throws(SystemCallError) -> Number {
        var number = zero
        let result = withUnsafeMutablePointer(to: &number) {
            sd.pointee.message_read_basic(message, code(type), $0)
        }
        try SystemCallError.check(result)
        return number
    }

    private func text(_ type: Character) throws(SystemCallError) -> String {
        var text: UnsafePointer<CChar>?
        try SystemCallError.check(sd.pointee.message_read_basic(message, code(type), &text))
        guard let text else { throw SystemCallError(number: EBADMSG) }
        return String(cString: text)
    }

    private func octets() throws(SystemCallError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        try SystemCallError.check(sd.pointee.message_read_array(message, code("y"), &start, &count))
        guard let start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The message closes its own.
    private func descriptor() throws(SystemCallError) -> DBusDescriptor {
        let copy = fcntl(try number("h", CInt(-1)), F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemCallError(number: errno) }
        return DBusDescriptor(owning: copy)
    }
}
