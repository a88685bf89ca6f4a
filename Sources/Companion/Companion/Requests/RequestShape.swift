// SPDX-License-Identifier: Apache-2.0

import BLEWire

/// What one request may bring: where it goes, its parameters, its body.
///
/// A hub declares it with each of its routes. Pages without a hub hold what they ask against the same declarations, as
/// `Scripts/generate-requests` takes them out of the hub's document.
package struct RequestShape: Sendable {
    package let method: String
    /// The parts of its path; parameters stand in braces.
    package let segments: [Substring]
    package let parameters: [Parameter]
    /// What its body may be, if it is JSON.
    package let body: Schema?
    package let isBodyRequired: Bool

    package init(
        method: String, path: String, parameters: [Parameter], body: Schema?, isBodyRequired: Bool = true
    ) {
        (self.method, segments) = (method, path.split(separator: "/"))
        (self.parameters, self.body, self.isBodyRequired) = (parameters, body, isBodyRequired)
    }

    /// The texts of a path's parameters.
    ///
    /// - Parameter parts: The parts of the path of a request, with their percent signs.
    /// - Returns: The texts by the names of the parameters; `nil` when it is another path.
    package func texts(in parts: [Substring]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var texts: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            guard let brace = segment.firstIndex(of: "{"), let end = segment.firstIndex(of: "}") else {
                if segment == part { continue }
                return nil
            }
            let before = segment[..<brace]
            guard part.utf8.starts(with: before.utf8), part.utf8.count > before.utf8.count,
                let text = PercentCoding.decoded(Substring(part.utf8.dropFirst(before.utf8.count)))
            else { return nil }
            texts[String(segment[segment.index(after: brace)..<end])] = text
        }
        return texts
    }

    /// Reads all parameters of a request.
    ///
    /// - Parameters:
    ///   - path: The texts of the path.
    ///   - query: What stands behind the question mark, in order.
    ///   - header: The text of a header, if it is there.
    /// - Returns: The values by the names of the parameters.
    /// - Throws: ``RequestError`` that says what is not as declared.
    package func values(
        path: [String: String], query: [(name: String, value: String)], header: (String) -> String?
    ) throws(RequestError) -> [String: [JSONNode]] {
        for pair in query where !parameters.contains(where: { $0.place == .query && $0.name == pair.name }) {
            let known = parameters.filter { $0.place == .query }.map { $0.name }
            let words = known.isEmpty ? "nothing" : known.joined(separator: ", ")
            throw RequestError(400, "\"\(pair.name.shortened)\" is not known here; known are: \(words).")
        }
        var values: [String: [JSONNode]] = [:]
        for parameter in parameters {
            let found =
                switch parameter.place {
                case .path: path[parameter.name].map { [$0] } ?? []
                case .query: query.filter { $0.name == parameter.name }.map { $0.value }
                case .header: header(parameter.name).map { [$0] } ?? []
                }
            if found.isEmpty, parameter.isRequired, parameter.place != .path {
                throw RequestError(
                    parameter.place == .header ? 428 : 400,
                    "\(parameter.name) is missing. \(parameter.about)")
            }
            do throws(RequestError) {
                values[parameter.name] = try parameter.values(found)
            } catch {
                throw parameter.place == .path ? .nothingHere : error
            }
        }
        return values
    }

    /// Holds a body against what it may be.
    ///
    /// - Throws: ``RequestError`` that says what is not as declared.
    package func check(_ body: JSONNode) throws(RequestError) {
        guard let fault = self.body?.fault(in: body, named: "the body") else { return }
        // Names are ASCII.
        let first = fault.utf8.first.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        throw RequestError(
            422, String(decoding: [first].compactMap { $0 }, as: UTF8.self) + fault.dropFirst())
    }
}

/// What was found for a request among all that are declared.
package enum RequestMatch {
    /// Nothing is at this address.
    case none
    /// Something is, but not for this method; these there are.
    case methods([String])
    /// It is this one, with these texts in its path.
    case found(Int, [String: String])

    /// Finds what a request asks for.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - path: Its path, which still has its percent signs.
    ///   - shapes: All that are declared.
    package init(_ method: String, _ path: Substring, among shapes: [RequestShape]) {
        let parts = Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
        var fitting: [(index: Int, texts: [String: String])] = []
        for index in shapes.indices {
            guard let texts = shapes[index].texts(in: parts) else { continue }
            fitting.append((index, texts))
        }
        // What stands there as it is comes before what a parameter could be.
        if fitting.contains(where: { $0.texts.isEmpty }) { fitting = fitting.filter { $0.texts.isEmpty } }
        if let found = fitting.first(where: { shapes[$0.index].method == method }) {
            self = .found(found.index, found.texts)
        } else {
            self = fitting.isEmpty ? .none : .methods(fitting.map { shapes[$0.index].method })
        }
    }
}
