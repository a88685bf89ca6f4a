// SPDX-License-Identifier: Apache-2.0

/// Something that a person can read, hear or press.
///
/// Nodes are made and used on the main actor only, by ``Screen``.
package final class Node {
    /// What sort of thing it is.
    package enum Kind: String, Sendable {
        case text, image, shape, button, link, toggle, picker, slider, stepper, menu, gauge, progress
        case textField = "text field"
        case secureField = "secure field"
        case searchField = "search field"
        case datePicker = "date picker"
        case colorPicker = "colour picker"
        case navigationLink = "navigation link"
        case disclosure, group, list, section, footer, title, toolbar, unavailable, element, canvas
        case tabBar = "tab bar"
        case tab, back, refreshable, sheet, cover, popover, alert, dialog
        case share = "share link"
        case files = "file browser"
        case chart, mark, map, marker
    }

    package let kind: Kind
    /// What is written there, beside the children.
    package var text: String
    package var children: [Node]
    /// What VoiceOver says instead of the text, where the view says so.
    package var label: String?
    package var value: String?
    package var hint: String?
    package var identifier: String?
    package var badge: String?
    package var role: ButtonRole?
    package var isHeading = false
    /// Whether the sheet that it is on stays when a person pulls it.
    var keepsSheet = false
    package var isEnabled = true
    package var isSelected = false
    package var isOn: Bool?
    /// Whether VoiceOver passes it over.
    package var isSilent = false
    /// Whether VoiceOver passes the children over, since the node speaks for them.
    package var speaksForChildren = false
    package var sortPriority = 0.0

    package var press: (() -> Void)?
    package var longPress: (() -> Void)?
    package var enter: ((String) -> Void)?
    package var submit: (() -> Void)?
    package var focus: (() -> Void)?
    package var adjust: ((AccessibilityAdjustmentDirection) -> Void)?
    /// Sets a number (a slider) or a date (a date picker, in seconds since 1970).
    package var set: ((Double) -> Void)?
    package var setColor: ((Color) -> Void)?
    package var choices: [Choice] = []
    package var drags: [(DragGesture.Value, Bool) -> Void] = []
    package var refresh: (@Sendable () async -> Void)?
    /// Takes files that a person chooses, or says why not.
    var takeFiles: (([URL]) -> String?)?
    /// Writes files into a folder, and says where they are; on the main actor, as all that the app is told.
    var saveFiles: (nonisolated(nonsending) (URL) async -> [URL])?
    /// What is drawn there.
    package var drawings: [Drawing] = []
    /// What another module knows of it.
    package var extra: Any?
    /// Whether a person cannot delete the row.
    var staysInList = false
    /// Actions that VoiceOver offers by name.
    package var actions: [Action] = []
    package var attachments: [Attachment] = []
    /// What a picker, or a list with a selection, knows the node by.
    var tags: [AnyHashable] = []
    var hasOwnTag = false
    /// Where it was evaluated.
    var path = ""
    /// The content of a menu, which is shown when it is open.
    var menu: [Node]?

    package init(_ kind: Kind, _ text: String = "", _ children: [Node] = []) {
        self.kind = kind
        self.text = text
        self.children = children
    }

    /// One of the values that a picker offers.
    package struct Choice {
        package let name: String
        package let isSelected: Bool
        package let choose: () -> Void
    }

    /// An action with a name.
    package struct Action {
        package let name: String
        package let perform: () -> Void
    }

    /// What is reached from a row by a gesture.
    package struct Attachment {
        /// How it is reached.
        package enum Kind: String, Sendable {
            case leadingSwipe = "swipe leading"
            case trailingSwipe = "swipe trailing"
            case contextMenu = "context menu"
            case textMenu = "text menu"
        }

        package let kind: Kind
        package let nodes: [Node]
    }
}

extension Node {
    /// What VoiceOver says of it, without its value.
    package var spoken: String {
        if let label { return label }
        if !text.isEmpty, kind != .image { return text }
        return children.map(\.spokenInside).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var spokenInside: String { isSilent ? "" : spoken }

    /// The node and all below it.
    package var all: [Node] { [self] + children.flatMap(\.all) }

    /// The node and those below it that VoiceOver reaches one by one.
    package var reached: [Node] {
        if isSilent { return [] }
        let below = speaksForChildren ? [] : children.flatMap(\.reached)
        return [self] + below
    }

    /// Whether a person does something with it.
    package var isControl: Bool {
        switch kind {
        case .button, .link, .navigationLink, .toggle, .picker, .slider, .stepper, .menu, .textField,
            .secureField, .searchField, .datePicker, .colorPicker, .tab, .share, .disclosure:
            true
        default: press != nil || adjust != nil
        }
    }

    /// Whether it is heard as one thing, with what it is made of.
    var isWhole: Bool {
        switch kind {
        case .button, .link, .navigationLink, .toggle, .picker, .slider, .stepper, .menu, .textField,
            .secureField, .datePicker, .colorPicker, .tab, .share, .gauge, .progress, .element, .mark,
            .marker:
            true
        default: false
        }
    }

    /// One node for all of these.
    static func joining(_ nodes: [Node]) -> Node {
        if nodes.count == 1 { return nodes[0] }
        return Node(.group, "", nodes)
    }
}
