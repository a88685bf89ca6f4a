// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore
import NIOCore
import NIOPosix
import NIOSSL

/// What a server has answered.
struct WebAnswer {
    let status: Int
    /// In the order in which they came, names in lower case.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }

    /// The body as it was before it was packed, if it was.
    func unpacked() throws -> [UInt8] {
        header("content-encoding") == "gzip" ? try FileUnpacking.whole(body, atMost: 1 << 24) : body
    }

    /// The body as JSON.
    func json() throws -> JSONNode { try JSONReader.read(unpacked()) }

    /// A value of the body, for example `radio.state`.
    func value(_ path: String) throws -> JSONNode.Value? {
        var node = try json()
        for key in path.split(separator: ".") {
            if let index = Int(key), case .array(let items) = node.value {
                guard index < items.count else { return nil }
                node = items[index]
            } else {
                guard let member = try node.member(String(key)) else { return nil }
                node = member
            }
        }
        return node.value
    }
}

/// A connection on which a test says exactly what is sent.
struct WebConnection {
    enum Fault: Error { case ended, timeout }

    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    /// What has come and was not looked at yet.
    private(set) var held: [UInt8] = []

    /// Connects to a server of this machine, and disconnects at the end.
    static func open<Value: Sendable>(
        _ port: Int, certificate: NIOSSLCertificate? = nil,
        _ body: (inout WebConnection) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let certificate {
                        var tls = TLSConfiguration.makeClientConfiguration()
                        tls.trustRoots = .certificates([certificate])
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(
                                context: NIOSSLContext(configuration: tls), serverHostname: "localhost"))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = WebConnection(outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&connection)
        }
    }

    private init(
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) {
        self.outbound = outbound
        self.inbound = inbound
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    func send(_ octets: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: octets)) }

    /// Sends a request.
    func request(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        host: String = "127.0.0.1"
    ) async throws {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try await send(Array((head + "\r\n").utf8) + (body ?? []))
    }

    /// Waits for more; `false` at the end.
    mutating func receive() async throws -> Bool {
        let piece: ByteBuffer?
        do { piece = try await inbound.next() } catch is IOError { piece = nil }
        guard let piece else { return false }
        held += Array(piece.readableBytesView)
        return true
    }

    /// Passes over everything up to a text, which is looked for in what comes together; the rest is dropped.
    mutating func skip(to text: String) async throws {
        let octets = Array(text.utf8)
        while true {
            guard try await receive() else { throw Fault.ended }
            if held.lastIndex(of: octets[0]) != nil, String(decoding: held, as: UTF8.self).contains(text) {
                return
            }
            held.removeFirst(max(0, held.count - octets.count))
        }
    }

    /// Everything up to and with a mark.
    mutating func read(upTo mark: String) async throws -> String {
        let octets = Array(mark.utf8)
        // What was looked at is not looked at again: a test may receive megabytes.
        var start = 0
        while true {
            while start + octets.count <= held.count {
                if held[start] == octets[0], held[start..<(start + octets.count)].elementsEqual(octets) {
                    defer { held.removeFirst(start + octets.count) }
                    return String(decoding: held[..<(start + octets.count)], as: UTF8.self)
                }
                start += 1
            }
            guard try await receive() else { throw Fault.ended }
        }
    }

    /// So many octets.
    mutating func read(_ count: Int) async throws -> [UInt8] {
        while held.count < count {
            guard try await receive() else { throw Fault.ended }
        }
        defer { held.removeFirst(count) }
        return Array(held[..<count])
    }

    /// The head of an answer.
    mutating func head() async throws -> WebAnswer {
        let lines = try await read(upTo: "\r\n\r\n").split(separator: "\r\n")
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let halves = line.split(separator: ":", maxSplits: 1)
            return (halves[0].lowercased(), halves.count > 1 ? String(halves[1].dropFirst()) : "")
        }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return WebAnswer(status: status ?? 0, headers: headers, body: [])
    }

    /// A whole answer.
    mutating func answer(isHead: Bool = false) async throws -> WebAnswer {
        let head = try await head()
        var body: [UInt8] = []
        if isHead || head.status == 204 || head.status == 304 {
        } else if head.header("transfer-encoding") == "chunked" {
            while true {
                let line = try await read(upTo: "\r\n")
                guard let size = Int(line.dropLast(1), radix: 16), size > 0 else { break }
                body += try await read(size)
                _ = try await read(2)
            }
            _ = try await read(2)
        } else {
            body = try await read(head.header("content-length").flatMap { Int($0) } ?? 0)
        }
        return WebAnswer(status: head.status, headers: head.headers, body: body)
    }
}
