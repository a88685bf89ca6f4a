// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// Presses what has this name: a button, a switch, a link, a row, a tab.
    package func press(_ name: String) throws(Failure) {
        let node = try find(name, "can be pressed") { $0.press != nil || $0.menu != nil }
        if node.menu != nil {
            openMenu = node.path
            return
        }
        openMenu = nil
        node.press?()
        update()
    }

    /// Presses for long.
    package func longPress(_ name: String) throws(Failure) {
        try find(name, "can be pressed for long") { $0.longPress != nil }.longPress?()
        update()
    }

    /// Opens a link to a page or an address.
    package func open(_ name: String) throws(Failure) {
        try find(name, "is a link") { $0.press != nil && [.link, .navigationLink].contains($0.kind) }.press?()
        update()
    }

    /// Selects a tab.
    package func select(tab name: String) throws(Failure) {
        try find(name, "is a tab") { $0.kind == .tab }.press?()
        update()
    }

    /// Goes to the page below.
    package func back() throws(Failure) {
        guard let back = reachable.flatMap(\.all).first(where: { $0.kind == .back }) else {
            throw Failure(description: "There is no page to go back to.")
        }
        back.press?()
        update()
    }

    /// Writes into a field, in the place of what was there; `submit` presses the return key after it.
    package func enter(_ text: String, into name: String, submit: Bool = false) throws(Failure) {
        let node = try find(name, "takes text") { $0.enter != nil }
        node.focus?()
        node.enter?(text)
        update()
        if submit {
            try find(name, "takes text") { $0.enter != nil }.submit?()
            update()
        }
    }

    /// Makes something more or less, as VoiceOver's swipe up or down does.
    package func adjust(
        _ name: String, _ direction: AccessibilityAdjustmentDirection
    ) throws(Failure) {
        try find(name, "can be adjusted") { $0.adjust != nil }.adjust?(direction)
        update()
    }

    /// Slides to a value.
    package func adjust(_ name: String, to value: Double) throws(Failure) {
        try find(name, "can be set") { $0.set != nil }.set?(value)
        update()
    }

    /// Chooses a date.
    package func choose(_ date: Date, in name: String) throws(Failure) {
        try adjust(name, to: date.timeIntervalSince1970)
    }

    /// Chooses a colour.
    package func choose(_ color: Color, in name: String) throws(Failure) {
        try find(name, "takes a colour") { $0.setColor != nil }.setColor?(color)
        update()
    }

    /// Chooses a value of a picker, or an item of a menu.
    package func choose(_ option: String, in name: String) throws(Failure) {
        let node = try find(name, "offers a choice") { !$0.choices.isEmpty || $0.menu != nil }
        if node.menu != nil {
            try press(name)
            defer { openMenu = nil }
            return try press(option)
        }
        guard let choice = node.choices.first(where: { $0.name == option }) else {
            let offered = node.choices.map { "“\($0.name)”" }.joined(separator: ", ")
            throw Failure(description: "“\(name)” does not offer “\(option)”, but \(offered).")
        }
        choice.choose()
        update()
    }

    /// Swipes a row, and presses what comes.
    package func swipe(_ name: String, _ action: String) throws(Failure) {
        try attached(name, action, "swipe actions", [.leadingSwipe, .trailingSwipe])
    }

    /// Presses a row for long, and an item of the menu that comes.
    package func contextMenu(_ name: String, _ action: String) throws(Failure) {
        try attached(name, action, "a context menu", [.contextMenu, .textMenu])
    }

    private func attached(
        _ name: String, _ action: String, _ what: String, _ kinds: [Node.Attachment.Kind]
    ) throws(Failure) {
        let row = try row(name, what) { $0.attachments.contains { kinds.contains($0.kind) } }
        let buttons = row.attachments.filter { kinds.contains($0.kind) }.flatMap(\.nodes).flatMap(\.reached)
        guard let button = buttons.first(where: { $0.spoken == action && $0.press != nil }) else {
            throw Failure(description: "The row “\(name)” has no “\(action)”.")
        }
        guard button.isEnabled else { throw Failure(description: "“\(action)” is disabled.") }
        button.press?()
        update()
    }

    /// Does what VoiceOver offers by name.
    package func perform(_ action: String, on name: String) throws(Failure) {
        let node = try row(name, "an action “\(action)”") { $0.actions.contains { $0.name == action } }
        node.actions.first { $0.name == action }?.perform()
        update()
    }

    /// Moves a finger over something, from one point to the other; `velocity` is that at the end, in points a
    /// second.
    package func drag(
        _ name: String, from start: CGPoint = .zero, to end: CGPoint, velocity: CGSize = .zero
    ) throws(Failure) {
        let node = try find(name, "can be dragged") { !$0.drags.isEmpty }
        let value = DragGesture.Value(time: .now, location: end, startLocation: start, velocity: velocity)
        for isOver in [false, true] {
            for drag in node.drags { drag(value, isOver) }
        }
        update()
    }

    /// Pulls the list down, and waits until it is loaded again.
    package func pullToRefresh() async throws(Failure) {
        guard let refresh = reachable.flatMap(\.all).compactMap(\.refresh).first else {
            throw Failure(description: "There is nothing that can be pulled down.")
        }
        await refresh()
        update()
    }

    /// Pulls the topmost sheet away.
    package func dismissSheet() throws(Failure) {
        guard let (layer, dismiss) = dismissTop, [.sheet, .popover].contains(layer.kind) else {
            throw Failure(description: "There is no sheet on top.")
        }
        guard !layer.all.contains(where: \.keepsSheet) else {
            throw Failure(description: "The sheet cannot be pulled away.")
        }
        dismiss()
        update()
    }
}
