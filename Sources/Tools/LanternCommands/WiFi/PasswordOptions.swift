// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandIO
import Foundation

/// Where a password comes from: never from an argument, which everybody on the machine can read.
struct PasswordOptions: ParsableArguments {
    /// No password is longer; what is may be another file.
    private static let limit = 4096

    /// What is said to whoever writes `--password`, with a password or without.
    static let refusal =
        "Do not write a password in the command, which everybody on this computer can read: use "
        + "--password-stdin or --password-file FILE, or type it when you are asked."

    @Flag(help: "Read the password from the standard input.")
    var passwordStdin = false

    @Option(help: ArgumentHelp("Read the password from a file.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Flag(name: .customLong("open"), help: "The network is open: there is no password.")
    var isOpen = false

    /// Taken only to say what to do instead, without repeating it.
    @Option(name: .customLong("password"), help: .hidden)
    var inClear: String?

    func validate() throws {
        if inClear != nil {
            throw ValidationError(Self.refusal)
        }
        let given = [passwordStdin, passwordFile != nil, isOpen].filter { $0 }.count
        if given > 1 {
            throw ValidationError("Give one of --password-stdin, --password-file and --open, not several.")
        }
    }

    /// Whether the person has said where the password is.
    var isGiven: Bool { passwordStdin || passwordFile != nil || isOpen }

    /// The password's octets, without the line end behind it; `nil` when the person has not said where it is.
    ///
    /// - Returns: The password.
    /// - Throws: ``CommandError`` when it cannot be read.
    func read() throws(CommandError) -> [UInt8]? {
        if isOpen { return [] }
        if passwordStdin { return try Self.password(in: STDIN_FILENO, "the standard input") }
        guard let passwordFile else { return nil }
        let descriptor = open(passwordFile, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .wrongUsage(
                "The password file \(passwordFile) cannot be read. Check its name and permissions.")
        }
        defer { close(descriptor) }
        return try Self.password(in: descriptor, passwordFile)
    }

    private static func password(in descriptor: Int32, _ place: String) throws(CommandError) -> [UInt8] {
        var octets: [UInt8] = []
        while octets.count <= limit {
            guard let more = Readiness.read(descriptor, upTo: limit) else {
                throw .wrongUsage("The password cannot be read from \(place).")
            }
            if more.isEmpty { break }
            octets += more
        }
        octets = utf8(octets)
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        guard !octets.contains(0) else {
            throw .wrongUsage(
                "The password in \(place) has a NUL octet, which no password may have: save it as plain text in UTF-8."
            )
        }
        guard !octets.contains(UInt8(ascii: "\n")), !octets.contains(UInt8(ascii: "\r")) else {
            throw .wrongUsage(
                "There is more than one line in \(place): leave only the line with the password there.")
        }
        return octets
    }

    /// A text without its byte order mark, which editors write and which says how the rest is encoded.
    private static func utf8(_ octets: [UInt8]) -> [UInt8] {
        if octets.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(octets.dropFirst(3)) }
        let isLittle = octets.starts(with: [0xFF, 0xFE])
        guard isLittle || octets.starts(with: [0xFE, 0xFF]), octets.count.isMultiple(of: 2) else {
            return octets
        }
        let units = stride(from: 2, to: octets.count, by: 2).map {
            UInt16(octets[isLittle ? $0 + 1 : $0]) << 8 | UInt16(octets[isLittle ? $0 : $0 + 1])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
