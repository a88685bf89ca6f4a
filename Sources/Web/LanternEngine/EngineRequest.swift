// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

/// What a page asks of the engine: a request of the hub's interface as one JSON object.
///
/// ```
/// {"id":7,"method":"GET","path":"/detections","filter":{"limit":50},"body":{…},"if_match":"*"}
/// ```
struct EngineRequest {
    /// The number under which it is answered.
    let id: Int64
    let method: String
    /// The parts of its path.
    let path: [String]
    /// What a hub would find behind the question mark.
    let filter: JSONNode.Value
    let body: JSONNode?
    /// What of the settings or a source was seen; `nil` when nobody says so, or for whatever it is.
    let revision: Int64?
    /// Whether what was seen is said, were it that anything will do.
    let namesRevision: Bool

    /// Reads a request.
    ///
    /// - Throws: ``JSONFault``.
    init(_ octets: [UInt8]) throws(JSONFault) {
        let node = try JSONReader.read(octets)
        guard case .number(let number) = try node.needed("id").value, let id = Int64(exactly: number) else {
            throw node.fault("\"id\" must be a whole number")
        }
        self.id = id
        method = try node.needed("method").text("The method")
        path = try node.needed("path").text("The path").split(separator: "/").map { String($0) }
        filter = try node.member("filter")?.value ?? .object([])
        body = try node.member("body")
        let tag = try node.member("if_match")?.text("What was seen")
        namesRevision = tag != nil
        revision = tag.flatMap { Int64(String($0.filter { $0 != "\"" })) }
    }

    /// A value of the body; `nil` when it is missing or there is no body.
    func member(_ key: String) -> JSONNode.Value? {
        guard case .object(let members)? = body?.value else { return nil }
        return members.last { $0.key == key }?.node.value
    }

    /// A text of the body.
    func text(_ key: String) -> String? {
        if case .text(let text)? = member(key) { text } else { nil }
    }

    /// A text behind the question mark.
    func filterText(_ key: String) -> String? {
        guard case .object(let members) = filter,
            case .text(let text)? = members.last(where: { $0.key == key })?.node.value
        else { return nil }
        return text
    }

    /// A whole number behind the question mark.
    func integer(_ key: String) -> Int? {
        guard case .object(let members) = filter else { return nil }
        switch members.last(where: { $0.key == key })?.node.value {
        case .number(let number): return Int(exactly: number)
        case .text(let text): return Int(text)
        default: return nil
        }
    }

    /// Numbers in a list of the body.
    func numbers(_ key: String) -> [Int64]? {
        guard case .array(let nodes)? = member(key) else { return nil }
        return nodes.compactMap { node in
            if case .number(let number) = node.value { Int64(exactly: number) } else { nil }
        }
    }
}

/// Why the engine does not do what it is asked.
struct EngineProblem: Error {
    /// The status that a hub would answer with.
    let status: Int
    /// What is wrong and what to do.
    let detail: String

    init(_ status: Int, _ detail: String) { (self.status, self.detail) = (status, detail) }

    /// What a hub would refuse in the same words.
    init(_ fault: HubFault) {
        let status =
            switch fault {
            case .notFound: 404
            case .notNow, .noAnswer: 409
            case .changedMeanwhile: 412
            case .badValue: 422
            case .notConfirmed: 428
            case .store: 500
            }
        self.init(status, fault.description)
    }

    static let noDevice = EngineProblem(
        404, "There is no such device any more. It was not heard for a while.")
    static let noDetection = EngineProblem(404, "There is no such detection. It may have been deleted.")
    static let noSource = EngineProblem(404, "There is no such source. It may have been deleted.")
    static let changedMeanwhile = EngineProblem(
        412, "Somebody else has changed this meanwhile. Look again and repeat it.")
    static let misread = EngineProblem(422, "Something is missing that this needs. Load the page again.")
    static let needsHub = EngineProblem(
        501, "This needs a hub: here no hub runs, only what fits into a page.")
}
