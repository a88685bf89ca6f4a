// SPDX-License-Identifier: Apache-2.0

/// Whether a person changes what is in a list.
public enum EditMode: Hashable, Sendable {
    /// Nothing can be changed.
    case inactive
    /// One row is changed, after a swipe.
    case transient
    /// All can be changed.
    case active

    /// Whether something can be changed.
    public var isEditing: Bool { self != .inactive }
}

/// A button that lets a person change a list, and ends it.
public struct EditButton {
    /// A button that lets a person change a list, and ends it.
    nonisolated public init() {}
}

extension EditButton: View {
    /// It is evaluated by itself.
    public typealias Body = Never
}

extension EditButton: Evaluated {
    package func nodes(_ place: Place) -> [Node] {
        let mode = place.environment.editMode
        let isEditing = mode?.wrappedValue.isEditing ?? false
        // Said by SwiftUI itself, in every language.
        return Button {
            mode?.wrappedValue = isEditing ? .inactive : .active
        } label: {
            Text(verbatim: isEditing ? "Done" : "Edit")
        }.nodes(place)
    }
}
