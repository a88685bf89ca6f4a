// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import HTTPTypes
import Hummingbird

/// The routes, and which of them answers a request.
struct RouteTable: Sendable {
    /// Where all of them are.
    static let base = "/api/v1"

    let routes: [Route]

    /// What was found for a request.
    enum Match {
        /// Nothing is at this address.
        case none
        /// Something is, but not for this method; these there are.
        case methods([HTTPRequest.Method])
        /// This is asked for, with these texts in its path.
        case route(Route, [String: String])
    }

    /// Finds the route of a request by its address below ``base``, which still has its percent signs.
    func match(_ method: HTTPRequest.Method, _ path: Substring) -> Match {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let found = routes.compactMap { route in
            Self.texts(route.segments, Array(parts)).map { (route, $0) }
        }
        // What stands there as it is comes before what a parameter could be.
        let exact = found.filter { $0.1.isEmpty }
        let fitting = exact.isEmpty ? found : exact
        if let (route, texts) = fitting.first(where: { $0.0.method == method }) {
            return .route(route, texts)
        }
        return fitting.isEmpty ? .none : .methods(fitting.map { $0.0.method })
    }

    /// Whether the body of a request holds a password, should it be taken.
    func hasSecret(_ request: HTTPRequest) -> Bool {
        guard let path = request.path?.split(separator: "?", maxSplits: 1).first, path.hasPrefix(Self.base)
        else {
            return false
        }
        let parts = path.dropFirst(Self.base.count).split(separator: "/", omittingEmptySubsequences: false)
        return routes.contains {
            $0.body?.secret != nil && $0.method == request.method
                && Self.texts($0.segments, Array(parts.dropFirst())) != nil
        }
    }

    /// The texts of a path's parameters; `nil` when it is another path.
    private static func texts(_ segments: [Substring], _ parts: [Substring]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var texts: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            guard let brace = segment.firstIndex(of: "{"), let end = segment.firstIndex(of: "}") else {
                if segment == part { continue }
                return nil
            }
            let before = segment[..<brace]
            guard part.hasPrefix(before), part.count > before.count,
                let text = PercentCoding.decoded(part.dropFirst(before.count))
            else { return nil }
            texts[String(segment[segment.index(after: brace)..<end])] = text
        }
        return texts
    }
}

/// Percent signs in addresses.
enum PercentCoding {
    /// The text that is meant; `nil` when it is not well-formed or no UTF-8.
    static func decoded(_ text: Substring, plusIsBlank: Bool = false) -> String? {
        var octets: [UInt8] = []
        var rest = text.utf8[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "%"):
                guard let pair = [UInt8](hexadecimal: String(Substring(rest.prefix(2)))), let one = pair.first
                else { return nil }
                octets.append(one)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsBlank: octets.append(0x20)
            default: octets.append(octet)
            }
        }
        return String(validating: octets, as: UTF8.self)
    }

    /// The values of a query, in order; `nil` when it is not well-formed.
    static func pairs(_ query: Substring) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for piece in query.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(halves[0], plusIsBlank: true),
                let value = halves.count > 1 ? decoded(halves[1], plusIsBlank: true) : ""
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }
}
