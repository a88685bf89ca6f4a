// SPDX-License-Identifier: Apache-2.0

/// More or less.
public enum AccessibilityAdjustmentDirection: Sendable {
    /// More.
    case increment
    /// Less.
    case decrement
}

/// How high a heading is.
public enum AccessibilityHeadingLevel: UInt, Sendable {
    /// Not said.
    case unspecified
    /// The first.
    case h1
    /// The second.
    case h2
    /// The third.
    case h3
    /// The fourth.
    case h4
    /// The fifth.
    case h5
    /// The sixth.
    case h6
}

/// What becomes of the parts of an element.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String
    /// They are not heard.
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    /// They are heard one by one.
    public static let contain = AccessibilityChildBehavior(name: "contain")
    /// They are heard as one.
    public static let combine = AccessibilityChildBehavior(name: "combine")
}

/// What VoiceOver says of what an element is.
public struct AccessibilityTraits: SetAlgebra, Hashable, Sendable {
    private var names: Set<String>
    private init(names: Set<String>) { self.names = names }
    private init(name: String) { names = [name] }

    /// Nothing.
    public init() { names = [] }
    /// A button.
    public static let isButton = AccessibilityTraits(name: "isButton")
    /// A heading.
    public static let isHeader = AccessibilityTraits(name: "isHeader")
    /// Selected.
    public static let isSelected = AccessibilityTraits(name: "isSelected")
    /// A link.
    public static let isLink = AccessibilityTraits(name: "isLink")
    /// A search field.
    public static let isSearchField = AccessibilityTraits(name: "isSearchField")
    /// A picture.
    public static let isImage = AccessibilityTraits(name: "isImage")
    /// Text that stays.
    public static let isStaticText = AccessibilityTraits(name: "isStaticText")
    /// Something that hides the rest.
    public static let isModal = AccessibilityTraits(name: "isModal")
    /// A switch.
    public static let isToggle = AccessibilityTraits(name: "isToggle")
    /// Something that changes often.
    public static let updatesFrequently = AccessibilityTraits(name: "updatesFrequently")
    /// Something that begins media.
    public static let startsMediaSession = AccessibilityTraits(name: "startsMediaSession")
    /// Something that may be touched without VoiceOver.
    public static let allowsDirectInteraction = AccessibilityTraits(name: "allowsDirectInteraction")
    /// What a summary is.
    public static let isSummaryElement = AccessibilityTraits(name: "isSummaryElement")

    /// Whether it has all of these.
    public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
    /// All of both.
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.union(other.names))
    }
    /// What both have.
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.intersection(other.names))
    }
    /// What one of both has.
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.symmetricDifference(other.names))
    }
    /// Adds all of these.
    public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
    /// Keeps what both have.
    public mutating func formIntersection(_ other: AccessibilityTraits) {
        names.formIntersection(other.names)
    }
    /// Keeps what one of both has.
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
        names.formSymmetricDifference(other.names)
    }
    /// Adds these.
    @discardableResult public mutating func insert(_ newMember: AccessibilityTraits) -> (
        inserted: Bool, memberAfterInsert: AccessibilityTraits
    ) {
        let isNew = !contains(newMember)
        names.formUnion(newMember.names)
        return (isNew, newMember)
    }
    /// Takes these away.
    @discardableResult public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        let had = intersection(member)
        names.subtract(member.names)
        return had.names.isEmpty ? nil : had
    }
    /// Adds these.
    @discardableResult public mutating func update(with newMember: AccessibilityTraits)
        -> AccessibilityTraits?
    {
        let had = intersection(newMember)
        names.formUnion(newMember.names)
        return had.names.isEmpty ? nil : had
    }
}

/// What VoiceOver's gestures do.
public struct AccessibilityActionKind: Equatable, Sendable {
    let name: String
    /// A double tap.
    public static let `default` = AccessibilityActionKind(name: "default")
    /// A scrub with two fingers.
    public static let escape = AccessibilityActionKind(name: "escape")
    /// A double tap with two fingers.
    public static let magicTap = AccessibilityActionKind(name: "magicTap")
    /// Something with a name.
    public init(named name: Text) { self.name = name.written(in: nil) }
    private init(name: String) { self.name = name }
}

extension View {
    /// Says what VoiceOver calls the view.
    nonisolated public func accessibilityLabel(_ label: Text) -> some View {
        asOne { node, place in node.label = label.written(in: place) }
    }
    /// Says what VoiceOver calls the view.
    nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
        accessibilityLabel(Text(labelKey))
    }
    /// Says what VoiceOver calls the view.
    @_disfavoredOverload nonisolated public func accessibilityLabel<S>(_ label: S) -> some View
    where S: StringProtocol {
        accessibilityLabel(Text(label))
    }
    /// Says which value the view has.
    nonisolated public func accessibilityValue(_ valueDescription: Text) -> some View {
        asOne { node, place in node.value = valueDescription.written(in: place) }
    }
    /// Says which value the view has.
    nonisolated public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View {
        accessibilityValue(Text(valueKey))
    }
    /// Says which value the view has.
    @_disfavoredOverload nonisolated public func accessibilityValue<S>(_ value: S) -> some View
    where S: StringProtocol {
        accessibilityValue(Text(value))
    }
    /// Says what the view does.
    nonisolated public func accessibilityHint(_ hint: Text) -> some View {
        asOne { node, place in node.hint = hint.written(in: place) }
    }
    /// Says what the view does.
    nonisolated public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View {
        accessibilityHint(Text(hintKey))
    }
    /// Says what the view does.
    @_disfavoredOverload nonisolated public func accessibilityHint<S>(_ hint: S) -> some View
    where S: StringProtocol {
        accessibilityHint(Text(hint))
    }
    /// Gives the view a name for tests.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> some View {
        asOne { node, _ in node.identifier = identifier }
    }
    /// Lets VoiceOver pass the view over.
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View {
        each { node, _ in node.isSilent = hidden }
    }
    /// Says what the view is.
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        asOne { node, _ in
            if traits.contains(.isHeader) { node.isHeading = true }
            if traits.contains(.isSelected) { node.isSelected = true }
        }
    }
    /// Says what the view is not.
    nonisolated public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View {
        asOne { node, _ in
            if traits.contains(.isHeader) { node.isHeading = false }
            if traits.contains(.isSelected) { node.isSelected = false }
        }
    }
    /// Makes the view a heading.
    nonisolated public func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> some View {
        asOne { node, _ in node.isHeading = true }
    }
    /// Makes one element of the view.
    nonisolated public func accessibilityElement(
        children: AccessibilityChildBehavior = .ignore
    ) -> some View {
        altered { _, nodes in
            if children == .contain { return [Node(.group, "", nodes)] }
            let node = Node(.element, "", nodes)
            node.speaksForChildren = true
            if children == .ignore {
                node.label = ""
                return [node]
            }
            for part in nodes.flatMap(\.reached) {
                if let press = part.press {
                    node.press = node.press ?? press
                    node.actions.append(.init(name: part.spoken, perform: press))
                }
                node.actions += part.actions
            }
            return [node]
        }
    }
    /// Lets VoiceOver's swipes up and down change the view.
    nonisolated public func accessibilityAdjustableAction(
        _ handler: @escaping (AccessibilityAdjustmentDirection) -> Void
    ) -> some View {
        asOne { node, _ in node.adjust = handler }
    }
    /// Gives VoiceOver something to do.
    nonisolated public func accessibilityAction(
        _ actionKind: AccessibilityActionKind = .default, _ handler: @escaping () -> Void
    ) -> some View {
        asOne { node, _ in
            if actionKind == .default { node.press = handler }
            node.actions.append(.init(name: actionKind.name, perform: handler))
        }
    }
    /// Gives VoiceOver something to do, by name.
    nonisolated public func accessibilityAction(
        named name: Text, _ handler: @escaping () -> Void
    ) -> some View {
        asOne { node, place in
            node.actions.append(.init(name: name.written(in: place), perform: handler))
        }
    }
    /// Gives VoiceOver something to do, by a name of the catalogue.
    nonisolated public func accessibilityAction(
        named nameKey: LocalizedStringKey, _ handler: @escaping () -> Void
    ) -> some View {
        accessibilityAction(named: Text(nameKey), handler)
    }
    /// Gives VoiceOver something to do, by name.
    @_disfavoredOverload nonisolated public func accessibilityAction<S>(
        named name: S, _ handler: @escaping () -> Void
    ) -> some View where S: StringProtocol {
        accessibilityAction(named: Text(name), handler)
    }
    /// Says how early the view is read.
    nonisolated public func accessibilitySortPriority(_ sortPriority: Double) -> some View {
        asOne { node, _ in node.sortPriority = sortPriority }
    }
    /// Says what VoiceOver takes the view for.
    nonisolated public func accessibilityRepresentation<V>(
        @ViewBuilder representation: () -> V
    ) -> some View where V: View {
        let view = representation()
        return altered { place, _ in place.inside("representation").nodes(of: view) }
    }
    /// Gives VoiceOver parts of the view that are not seen.
    nonisolated public func accessibilityChildren<V>(@ViewBuilder children: () -> V) -> some View
    where V: View {
        let parts = children()
        return altered { place, nodes in
            let node = Node.joining(nodes)
            node.children = place.inside("children").nodes(of: parts)
            node.speaksForChildren = false
            return [node]
        }
    }
}
