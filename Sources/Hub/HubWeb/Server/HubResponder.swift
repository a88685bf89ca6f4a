// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionDevices
import CompanionStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// What Hummingbird knows of a request beyond itself: the connection on which it came.
struct RequestSource: InitializableFromSource {
    let channel: any Channel
    let logger: Logger

    /// The machine at the other end.
    var peer: MachineAddress? { channel.remoteAddress?.ipAddress.flatMap { MachineAddress($0) } }

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        logger = source.logger
    }
}

/// Answers every request: checks where it comes from, who sends it and how much they ask for, then pages or the
/// interface.
struct HubResponder: HTTPResponder {
    typealias Context = RequestSource

    let routes: RouteTable
    let pages: PageFiles
    /// The pages that need no hub, where they are.
    let browserPages: PageFiles?
    let leaflet = LeafletFiles()
    /// The address of the map's tiles, where a server of them is chosen.
    let mapServer: @Sendable () async -> String?
    let access: AccessControl
    let origin: RequestOrigin
    let usage: ClientUsage
    let connections: OpenConnections
    let proxies: ProxyTrust
    /// Whether it is reached encrypted.
    let isEncrypted: Bool
    let metrics: HubMetrics
    /// The text of `/metrics`.
    let metricsText: @Sendable () async -> String

    /// Headers of every answer.
    static let safety: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: ContentPolicy.text(mapServer: nil), .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()

    func respond(to request: Request, context: RequestSource) async throws -> Response {
        let began = ContinuousClock.now
        var response = await answer(request, context)
        // A page may say more precisely what it loads.
        let policy = response.headers[.contentSecurityPolicy]
        for field in Self.safety { response.headers[field.name] = field.value }
        if let policy { response.headers[.contentSecurityPolicy] = policy }
        if request.method == .head {
            // The length stays; octets would be taken for the next answer.
            let length = response.headers[.contentLength]
            response.body = ResponseBody()
            response.headers[.contentLength] = length
        } else {
            response.body = response.body.paced(on: context.channel.eventLoop)
        }
        metrics.answered(request.method, response.status, in: ContinuousClock.now - began)
        return response
    }

    private func answer(_ request: Request, _ context: RequestSource) async -> Response {
        let sender: RequestSender
        do throws(Problem) {
            sender = try RequestSender(
                of: request, from: context.peer, on: ClientAddress(context.channel.remoteAddress),
                trusting: proxies, isEncrypted: isEncrypted)
        } catch {
            return error.response
        }
        var response = await answer(request, sender, context)
        if sender.isEncrypted, let name = HTTPField.Name("Strict-Transport-Security") {
            response.headers[name] = "max-age=31536000"
        }
        return response
    }

    private func answer(_ request: Request, _ sender: RequestSender, _ context: RequestSource) async
        -> Response
    {
        let client: ClientAddress
        do throws(Problem) { client = try await counted(request, sender) } catch { return error.response }
        defer { usage.close(.request, of: client) }
        do {
            return try await checkedAnswer(request, sender, context)
        } catch let problem as Problem {
            return problem.response
        } catch let error as StoreError {
            return Problem(error).response
        } catch is CancellationError {
            return Problem(.serviceUnavailable, "The hub is about to stop.").response
        } catch is HTTPParserError {
            return Problem(.badRequest, "The body of the request is not well-formed.").response
        } catch  where error is ChannelError || error is IOError || error is NIOSSLError {
            // It went while its body was read, and gets to read nothing of this.
            return Problem(.badRequest, "The body of the request has come to no end.").response
        } catch {
            context.logger.error("Request failed", metadata: ["error": "\(error)"])
            return Problem.unexpected.response
        }
    }

    /// Counts a request, as one of its client; where others at the same address have used that up, as one of whoever is signed in.
    ///
    /// - Returns: As whose it is counted.
    /// - Throws: Why it is not answered now.
    private func counted(_ request: Request, _ sender: RequestSender) async throws(Problem) -> ClientAddress {
        do throws(Problem) { return try counted(sender.client) } catch {
            guard access.needsLogin, await isSignedIn(request, sender) else { throw error }
            return try counted(sender.client.signedIn)
        }
    }

    private func counted(_ client: ClientAddress) throws(Problem) -> ClientAddress {
        guard usage.open(.request, of: client) else {
            throw Problem(.tooManyRequests, "Too many requests at once.", retryAfter: .seconds(1))
        }
        guard let wait = usage.spend(client, at: .now) else { return client }
        usage.close(.request, of: client)
        throw Problem(.tooManyRequests, "Too many requests. Wait a moment.", retryAfter: wait)
    }

    /// Whether who has sent a request is signed in, of which nothing is noted.
    private func isSignedIn(_ request: Request, _ sender: RequestSender) async -> Bool {
        let (session, token) = await credentials(request, sender)
        if await access.isSignedIn(session) { return true }
        guard let token else { return false }
        return await access.isToken(token)
    }

    /// What a request brings of who has sent it: what a browser keeps, and a token.
    private func credentials(
        _ request: Request, _ sender: RequestSender
    ) async -> (session: String?, token: String?) {
        let cookie = SessionCookie(hub: await access.cookieName, isEncrypted: sender.isEncrypted)
        let header = request.headers[.authorization].flatMap {
            $0.lowercased().hasPrefix("bearer ") ? $0 : nil
        }
        return (cookie.value(in: request.headers), header.map { String($0.dropFirst(7)) })
    }

    /// What a hub without login says to whoever comes through a proxy: everybody behind it would be let in.
    private static let throughProxy = Problem(
        .forbidden,
        "This request has come through a proxy, and this hub asks nobody to sign in, so everybody behind the proxy could "
            + "use it. Start the hub with --require-login, and name the proxy with --trusted-proxies.")

    /// Refuses who is not signed in where the last places are kept for those who are.
    private func checkPlace(_ request: Request, _ sender: RequestSender, _ context: RequestSource)
        async throws
    {
        guard access.needsLogin, !connections.isForEverybody(context.channel) else { return }
        let isSigningIn = request.head.path == RouteTable.base + "/session"
        guard !isSigningIn else { return }
        do {
            try await letIn(request, sender, context)
        } catch {
            throw Problem(
                .serviceUnavailable, "Too many connections. Wait a moment.", retryAfter: .seconds(2),
                headers: [.connection: "close"])
        }
    }

    private func checkedAnswer(
        _ request: Request, _ sender: RequestSender, _ context: RequestSource
    ) async throws -> Response {
        let target = request.head.path ?? "/"
        let mark = target.firstIndex(of: "?")
        let path = target[..<(mark ?? target.endIndex)]
        let query = mark.map { target[target.index(after: $0)...] } ?? ""
        let isInterface = path == RouteTable.base || path.hasPrefix(RouteTable.base + "/")
        guard access.needsLogin || !ForwardedRequest.isMarked(request.headers) else {
            throw Self.throughProxy
        }
        try origin.check(request, from: sender, isInterface: isInterface)
        try await checkPlace(request, sender, context)
        guard path.first == "/" else { throw Problem(.badRequest, "The address is not well-formed.") }
        if isInterface {
            let answer = try await interface(
                request, sender, context, path.dropFirst(RouteTable.base.count), query)
            return try bounded(answer)
        }
        guard request.method == .get || request.method == .head else {
            throw Self.wrongMethod([.get, .head])
        }
        if path == "/healthz" { return Self.text("ok\n") }
        if path == "/metrics" {
            try await letIn(request, sender, context)
            return Self.text(await metricsText(), type: "text/plain; version=0.0.4; charset=utf-8")
        }
        let (name, keeping) = pages.unversioned(path)
        // A page itself has no version, only what it is made of.
        if let page = pages.file(name), name == path || !page.isDocument {
            var answer = page.answer(request, keeping: keeping)
            if page.isDocument {
                answer.headers[.contentSecurityPolicy] = ContentPolicy.text(mapServer: await mapServer())
            }
            return answer
        }
        if let browserPages,
            path == PageFiles.browserPrefix.dropLast() || path.hasPrefix(PageFiles.browserPrefix)
        {
            return try browserPage(request, path, browserPages)
        }
        // The system may bring another one at any time.
        if let file = await leaflet.file(name) { return file.answer(request) }
        throw Problem(.notFound, "There is no such page.")
    }

    private func browserPage(
        _ request: Request, _ path: Substring, _ pages: PageFiles
    ) throws(Problem) -> Response {
        // Their addresses are relative.
        if path.last != "/", path.dropFirst(PageFiles.browserPrefix.count).isEmpty {
            return Response(status: .permanentRedirect, headers: [.location: PageFiles.browserPrefix])
        }
        guard let page = pages.file(path.dropFirst(PageFiles.browserPrefix.count - 1)) else {
            throw Problem(.notFound, "There is no such page.")
        }
        var answer = page.answer(request)
        answer.headers[.contentSecurityPolicy] = ContentPolicy.browser
        return answer
    }

    /// An answer that is in memory as a whole for as long as its client takes for it has to find room there.
    private func bounded(_ answer: Response) throws(Problem) -> Response {
        // What browsers may keep is the same for all and there anyway; what has no length is made as it is taken.
        let keeping = answer.headers[.cacheControl] ?? ""
        let isMade = keeping == "no-store" && answer.headers[.contentType] == "application/json"
        guard isMade || keeping.hasPrefix("private"), let length = answer.body.contentLength,
            length > usage.limits.waiting
        else { return answer }
        guard let room = usage.room(for: length) else {
            throw Problem(
                .serviceUnavailable, "Too many large answers are on their way. Wait a moment.",
                retryAfter: .seconds(1))
        }
        var answer = answer
        answer.body = ResponseBody(contentLength: length) { [body = answer.body] writer in
            defer { withExtendedLifetime(room) {} }
            try await body.write(writer)
        }
        return answer
    }

    private func interface(
        _ request: Request, _ sender: RequestSender, _ context: RequestSource, _ path: Substring,
        _ query: Substring
    ) async throws -> Response {
        let match = routes.match(request.method, path)
        try await letIn(request, sender, context, to: match)
        switch match {
        case .none: throw Problem(RequestError.nothingHere)
        case .methods(let methods): throw Self.wrongMethod(methods)
        case .route(let route, let shape, let texts):
            let reading = RequestReading(
                route: route, shape: shape, request: request, sender: sender, usage: usage)
            let input = try await reading.input(path: texts, query: query)
            let answer: Response
            if route.body?.isStreamed == true {
                // A file may be worked on for minutes.
                answer = try await connections.working(for: context.channel) {
                    try await route.respond(input)
                }
            } else {
                answer = try await route.respond(input)
            }
            // Whose right has ended while a stream was opened was not among those whose streams end with it.
            if route.isStream { try await letIn(request, sender, context, to: match) }
            return route.isPackable ? await answer.packed(for: request) : answer
        }
    }

    /// Refuses who may not ask for what was found.
    private func letIn(
        _ request: Request, _ sender: RequestSender, _ context: RequestSource, to match: RouteTable.Match
    ) async throws(Problem) {
        var route: Route?
        if case .route(let found, _, _) = match { route = found }
        // Who has not signed in learns nothing of what there is.
        guard route?.isOpen != true else { return }
        let role = try await letIn(request, sender, context)
        if let route, role < route.leastRole { throw Problem(.forbidden, role.refusal) }
    }

    /// Refuses who has neither a token nor a session, where one is needed.
    ///
    /// - Returns: What whoever asks may do.
    @discardableResult
    private func letIn(_ request: Request, _ sender: RequestSender, _ context: RequestSource)
        async throws(Problem) -> AccessRole
    {
        guard access.needsLogin else { return .admin }
        let (session, token) = await credentials(request, sender)
        if let role = await access.role(ofSession: session) {
            connections.noteSignedIn(context.channel)
            return role
        }
        if let token {
            do throws(AccessControl.Refusal) {
                let role = try await access.check(token, from: sender.client)
                connections.noteSignedIn(context.channel)
                return role
            } catch {
                throw error.problem
            }
        }
        throw Problem(
            .unauthorized, "Sign in with a token of this hub.", headers: [.wwwAuthenticate: "Bearer"])
    }

    private static func wrongMethod(_ methods: [HTTPRequest.Method]) -> Problem {
        let words = methods.map { $0.rawValue }
        var problem = Problem(RequestError.wrongMethod(words))
        problem.headers = [.allow: words.joined(separator: ", ")]
        return problem
    }

    private static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension AccessControl.Refusal {
    /// What the person is told.
    var problem: Problem {
        switch self {
        case .wrong(let wait):
            Problem(
                .unauthorized, "That is not a token of this hub.", retryAfter: wait,
                headers: [.wwwAuthenticate: "Bearer"])
        case .tooSoon(let wait):
            Problem(.tooManyRequests, "There were too many wrong tokens.", retryAfter: wait)
        }
    }
}
