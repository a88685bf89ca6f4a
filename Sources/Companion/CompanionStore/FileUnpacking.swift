// SPDX-License-Identifier: Apache-2.0

import CZlib
public import Companion
public import Detections
public import Foundation

/// The octets of a file, unpacked where its first octets say that it is compressed with gzip; else as they are.
///
/// What comes out has a limit, whatever the file says, and no more than 64 KB of it are in memory at once. One that
/// unpacks to 300 times its size and more is refused after the first MB: no file of use does, and others wait meanwhile.
///
/// Spec: RFC 1952.
public final class FileUnpacking {
    /// Why no more octets come out.
    public enum Failure: Error, Hashable, Sendable {
        /// The file has more octets than were allowed; all that fit have come out.
        case tooLarge
        /// It cannot be unpacked, for this reason.
        case damaged(ImportError)
    }

    private enum Form {
        case unknown
        case plain
        case gzip
    }

    /// Octets that come out at once.
    private static let piece = 65_536
    /// So many times its own size no file of use unpacks to.
    ///
    /// Tables, tracks and lists of cameras have 20 to 90 times their size, also of a receiver that stands still; a row of a
    /// hundred octets that is repeated without any change has 230 to 290, and blanks have 1030.
    static let mostTimes = 300
    /// Octets that come out before that is looked at.
    static let unlooked = 1 << 20

    private var form = Form.unknown
    private var room: Int
    /// Octets that were unpacked, and what came of them.
    private var sizes = (packed: 0, unpacked: 0)
    private var input: [UInt8] = []
    private var position = 0
    private var isOver = false
    /// Whether a member of the file is at its end; another may follow.
    private var isBetween = false
    // Its address is known to zlib, which looks whether it is still the same.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false

    /// Begins a file.
    ///
    /// - Parameter limit: How many octets may come out.
    public init(atMost limit: Int) {
        room = limit
        stream = UnsafeMutablePointer.allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Takes the next part of the file.
    ///
    /// - Parameter octets: The part; what comes of it is taken out with ``next()`` before the next one.
    public func receive(_ octets: [UInt8]) {
        input = position < input.count ? Array(input[position...]) + octets : octets
        position = 0
    }

    /// Takes the end of the file.
    public func finish() { isOver = true }

    /// The next octets.
    ///
    /// - Returns: The octets; `nil` when more has to come first, or at the end.
    /// - Throws: ``Failure``, after which nothing comes any more.
    public func next() throws(Failure) -> [UInt8]? {
        if case .unknown = form {
            guard input.count >= 2 || isOver else { return nil }
            form = input.starts(with: [0x1F, 0x8B]) ? .gzip : .plain
        }
        if case .plain = form {
            let octets = Array(input[position...].prefix(min(Self.piece, room)))
            guard !octets.isEmpty || position == input.count else { throw .tooLarge }
            position += octets.count
            room -= octets.count
            return octets.isEmpty ? nil : octets
        }
        return try unpacked()
    }

    private func unpacked() throws(Failure) -> [UInt8]? {
        while true {
            if isBetween {
                // Another member follows, or octets that fill up a tape.
                guard position < input.count else { return nil }
                guard input[position...].starts(with: [0x1F]) else {
                    position = input.count
                    return nil
                }
                inflateReset(stream)
                isBetween = false
            }
            guard position < input.count else {
                guard !isOver else {
                    throw .damaged(
                        ImportError(1, "its compressed data end too early; copy or download the file again"))
                }
                return nil
            }
            // One more than there is room for tells whether there is more.
            let octets = try inflated(atMost: min(Self.piece, room + 1))
            guard sizes.unpacked <= max(Self.unlooked, sizes.packed * Self.mostTimes) else {
                throw .damaged(
                    ImportError(
                        1,
                        "it unpacks to far more than any file of detections, drives or cameras does; if it is one, unpack it first, "
                            + "for example with gunzip"))
            }
            guard octets.count <= room else {
                let fitting = Array(octets.prefix(room))
                room = 0
                if fitting.isEmpty { throw .tooLarge }
                return fitting
            }
            room -= octets.count
            if !octets.isEmpty { return octets }
        }
    }

    private func inflated(atMost count: Int) throws(Failure) -> [UInt8] {
        if !isOpen {
            guard lantern_inflate_gzip(stream) == Z_OK else {
                throw .damaged(ImportError(1, "there is no memory to unpack it"))
            }
            isOpen = true
        }
        var result = Z_OK
        let offset = position
        let octets = input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: count) { output, filled in
                stream.pointee.next_in = input.baseAddress.map { $0 + offset }
                stream.pointee.avail_in = CUnsignedInt(input.count - offset)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = CUnsignedInt(count)
                result = inflate(stream, Z_NO_FLUSH)
                filled = count - Int(stream.pointee.avail_out)
            }
        }
        position = input.count - Int(stream.pointee.avail_in)
        sizes.packed += position - offset
        sizes.unpacked += octets.count
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetween = true
        default:
            throw .damaged(
                ImportError(1, "its compressed data are damaged; copy or download the file again"))
        }
        return octets
    }
}

extension FileUnpacking {
    /// A whole file, unpacked where it is compressed.
    ///
    /// - Parameters:
    ///   - octets: The file.
    ///   - limit: How many octets may come out.
    /// - Returns: What is in it.
    /// - Throws: ``BadInput``, a phrase that says what is wrong with it.
    public static func whole(_ octets: [UInt8], atMost limit: Int) throws(BadInput) -> [UInt8] {
        guard octets.starts(with: [0x1F, 0x8B]) else { return octets }
        let unpacking = FileUnpacking(atMost: limit)
        unpacking.receive(octets)
        unpacking.finish()
        var all: [UInt8] = []
        do throws(Failure) {
            while let piece = try unpacking.next() { all += piece }
        } catch {
            switch error {
            case .tooLarge: throw BadInput("it has more than \(limit >> 20) MB when it is unpacked")
            case .damaged(let fault): throw BadInput(fault.reason)
            }
        }
        return all
    }
}

extension FileUnpacking.Failure: LocalizedError {
    /// Why the file cannot be unpacked.
    public var errorDescription: String? {
        switch self {
        case .tooLarge: "The file has more in it than may be unpacked."
        case .damaged(let fault): "The file cannot be unpacked: \(fault.reason)."
        }
    }
}
