// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Brings the head of each request into the form that the rest of the server expects.
///
/// | request | what becomes of it |
/// |---|---|
/// | several `Host` headers | refused, and the connection with it |
/// | `GET http://name/path` | `GET /path` with `Host: name`, whatever `Host` said |
/// | HTTP/1.0 without `keep-alive` | `Connection: close` |
/// | with `Upgrade`, which the hub knows none of | `Connection: close`: what comes behind it is not read |
///
/// What comes after it in the pipeline no longer knows the version of a request, nor its second `Host`.
///
/// Spec: RFC 9112, 3.2, 3.2.2 and 9.3; RFC 9110, 7.8.
final class RequestHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isRefused = false
    /// Whether the last request was one of HTTP/1.0.
    private(set) var isOld = false

    /// Puts one where versions are still known: behind what reads requests.
    ///
    /// - Parameter pipeline: That of a connection.
    /// - Returns: What was put there.
    static func add(to pipeline: ChannelPipeline) -> RequestHeadHandler? {
        let operations = pipeline.syncOperations
        guard let reader = try? operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
            return nil
        }
        let handler = RequestHeadHandler()
        try? operations.addHandler(handler, position: .after(reader))
        return handler
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard head.headers["Host"].count <= 1 else {
            isRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        if let (authority, path) = Self.absolute(head.uri) {
            head.uri = path
            head.headers.replaceOrAdd(name: "Host", value: authority)
        }
        isOld = head.version == .http1_0
        // Whoever reads requests takes nothing of what comes behind an upgrade for one.
        if isOld && !head.isKeepAlive || head.headers.contains(name: "Upgrade") {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The two parts of an address that names its host.
    static func absolute(_ address: String) -> (authority: String, path: String)? {
        for scheme in ["http://", "https://"] where address.prefix(scheme.count).lowercased() == scheme {
            let rest = address.dropFirst(scheme.count)
            let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
            let path = rest[end...]
            return (String(rest[..<end]), path.first == "/" ? String(path) : "/" + path)
        }
        return nil
    }
}
