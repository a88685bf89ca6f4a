// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Closes a connection of HTTP/1.0 after its answer, unless the client asks to keep it.
///
/// What comes after it in the pipeline no longer knows the version of a request.
///
/// Spec: RFC 9112, 9.3.
final class HTTP10Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Puts one where versions are still known: behind what reads requests.
    ///
    /// - Parameter pipeline: That of a connection.
    static func add(to pipeline: ChannelPipeline) {
        let operations = pipeline.syncOperations
        guard let reader = try? operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
            return
        }
        try? operations.addHandler(HTTP10Handler(), position: .after(reader))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive, head.version == .http1_0 else {
            return context.fireChannelRead(data)
        }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
