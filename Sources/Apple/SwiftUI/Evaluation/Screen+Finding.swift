// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// Everything that a person can read now, from the top on.
    package var texts: [String] {
        reachable.flatMap(\.all).flatMap { node -> [String] in
            switch node.kind {
            case .text, .title, .section, .alert, .dialog, .unavailable, .back:
                node.text.isEmpty ? [] : [node.text]
            case .canvas: node.drawings.compactMap(\.text)
            default: node.badge.map { [$0] } ?? []
            }
        }
    }

    /// Everything that VoiceOver says now.
    package var spoken: [String] {
        reachable.flatMap(\.reached).map(\.spoken).filter { !$0.isEmpty }
    }

    /// Whether a person can read or hear this.
    package func shows(_ text: String) -> Bool { texts.contains(text) || spoken.contains(text) }

    /// Controls without a name, which VoiceOver could not say.
    package var unnamed: [String] {
        let all = (root + presented).flatMap(\.reached)
        let attached = all.flatMap { $0.attachments.flatMap(\.nodes) }
        return (all + attached).filter { $0.isControl && $0.spoken.isEmpty }
            .map { $0.kind.rawValue + ($0.identifier.map { " (\($0))" } ?? "") }
    }

    /// The one thing that has a name and can do something.
    func find(_ name: String, _ what: String, _ can: (Node) -> Bool) throws(Failure) -> Node {
        let named = reachable.flatMap(\.reached).filter { $0.spoken == name }
        let able = named.filter(can)
        if able.count == 1, let node = able.first {
            guard node.isEnabled else { throw Failure(description: "“\(name)” is disabled.") }
            return node
        }
        if able.count > 1 {
            throw Failure(description: "“\(name)” names \(able.count) things that \(what).")
        }
        if let other = named.first {
            throw Failure(description: "“\(name)” is a \(other.kind.rawValue), and not one that \(what).")
        }
        let below = (root + presented).flatMap(\.reached)
        if below.contains(where: { $0.spoken == name && can($0) }), let layer = presented.last {
            let layerName = layer.text.isEmpty ? "" : " “\(layer.text)”"
            throw Failure(description: "“\(name)” lies under the \(layer.kind.rawValue)\(layerName).")
        }
        let all = reachable.flatMap(\.all)
        if all.contains(where: { $0.spoken == name && can($0) }) {
            throw Failure(description: "“\(name)” is hidden from VoiceOver.")
        }
        let there = reachable.flatMap(\.reached).filter(can).map { "“\($0.spoken)”" }
        throw Failure(
            description: "There is no “\(name)” that \(what); there are: "
                + (there.isEmpty ? "none" : there.joined(separator: ", ")) + ".")
    }

    /// The one row with a name, its own or that of something within, which has what is looked for.
    func row(_ name: String, _ what: String, _ has: (Node) -> Bool) throws(Failure) -> Node {
        let rows = reachable.flatMap(\.all).filter(has).filter { row in
            row.spoken == name || row.all.contains { $0.spoken == name }
        }
        guard let row = rows.first else {
            throw Failure(description: "There is no row “\(name)” with \(what).")
        }
        guard rows.count == 1 else {
            throw Failure(description: "“\(name)” names \(rows.count) rows with \(what).")
        }
        return row
    }
}
