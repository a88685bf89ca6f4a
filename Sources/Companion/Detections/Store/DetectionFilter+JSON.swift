// SPDX-License-Identifier: Apache-2.0

package import Companion
import FlockFinder

extension DetectionFilter {
    /// The filter of a request, by the names of its parts; what was checked before is taken as it is.
    ///
    /// - Parameters:
    ///   - values: What is said of each part: `text`, `type`, `min_confidence`, `since`, `until`, `state`, `place`, `source`,
    ///     `id`, `box`.
    ///   - now: The time, since which a source is new.
    package init(named values: [String: [JSONNode]], at now: Timestamp) {
        self.init()
        for (name, nodes) in values where !nodes.isEmpty { set(name, nodes, at: now) }
    }

    /// The filter of a body, where null says nothing.
    ///
    /// - Parameters:
    ///   - value: An object with the parts.
    ///   - now: The time, since which a source is new.
    package init(_ value: JSONNode.Value, at now: Timestamp) {
        var values: [String: [JSONNode]] = [:]
        if case .object(let members) = value {
            for member in members {
                switch member.node.value {
                case .null: continue
                case .array(let nodes): values[member.key] = nodes
                default: values[member.key] = [member.node]
                }
            }
        }
        self.init(named: values, at: now)
    }

    private mutating func set(_ name: String, _ nodes: [JSONNode], at now: Timestamp) {
        let texts = nodes.compactMap { if case .text(let text) = $0.value { text } else { nil } }
        let numbers = nodes.compactMap { if case .number(let number) = $0.value { number } else { nil } }
        switch name {
        case "text": text = texts.first.flatMap { $0.isEmpty ? nil : $0 }
        case "type": types = Set(texts.compactMap { DetectionType(keyword: $0) })
        case "min_confidence": minimumConfidence = numbers.first
        case "since": since = texts.first.flatMap { Timestamp($0) }
        case "until": until = texts.first.flatMap { Timestamp($0) }
        case "state":
            marks = Set(texts.compactMap { SourceMark(rawValue: $0) })
            if texts.contains("new") {
                newSince = Timestamp(milliseconds: now.milliseconds - SourceJSON.newMilliseconds + 1)
            }
        case "place": hasPosition = texts.first.map { $0 == "with" }
        case "source": sources = Set(numbers.compactMap { Int64(exactly: $0) })
        case "id": ids = Set(numbers.compactMap { Int64(exactly: $0) })
        case "box" where numbers.count == 4:
            box = MapBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        default: break
        }
    }
}
