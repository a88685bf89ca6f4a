// SPDX-License-Identifier: Apache-2.0

extension Screen: @MainActor CustomStringConvertible {
    /// The screen as lines that a person can read: what is there, what is said, and what can be done.
    package var description: String {
        var lines = root.flatMap { $0.lines(0) }
        for layer in presented { lines += layer.lines(0) }
        return lines.joined(separator: "\n")
    }
}

extension Node {
    /// The node and what it is made of, a line each.
    func lines(_ depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        var words = [kind.rawValue]
        let name = spoken
        let isNamed = isWhole || kind == .searchField || !text.isEmpty || label != nil
        if kind == .image, label == nil {
            words.append("(\(text))")
        } else if isNamed {
            words.append(name.isEmpty ? "without a name" : "“\(name)”")
        }
        if let value, !value.isEmpty { words.append("= “\(value)”") }
        if let isOn { words.append(isOn ? "on" : "off") }
        if let role { words.append(role.name) }
        if let badge { words.append("badge “\(badge)”") }
        if let hint { words.append("hint “\(hint)”") }
        if isSelected { words.append("selected") }
        if !isEnabled { words.append("disabled") }
        if isHeading, kind != .title { words.append("heading") }
        if isSilent { words.append("silent") }
        if !choices.isEmpty {
            words.append("of " + choices.map { "“\($0.name)”" }.joined(separator: ", "))
        }
        if refresh != nil { words.append("can be pulled") }
        var lines = [indent + words.joined(separator: " ")]
        for action in actions { lines.append(indent + "  action “\(action.name)”") }
        for attachment in attachments {
            let names = attachment.nodes.flatMap(\.reached).filter(\.isControl).map { "“\($0.spoken)”" }
            lines.append(indent + "  \(attachment.kind.rawValue): " + names.joined(separator: ", "))
        }
        // What is heard as one thing is one line.
        if isWhole && kind != .element {
            return lines + children.flatMap(\.all).filter(\.isControl).flatMap { $0.lines(depth + 1) }
        }
        return lines + children.flatMap { $0.lines(depth + 1) }
    }
}
