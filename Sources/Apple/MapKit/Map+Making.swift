// SPDX-License-Identifier: Apache-2.0

extension Map {
    /// A map with things on it that shows what the app says.
    nonisolated public init<C>(
        position: Binding<MapCameraPosition>, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, scope: Namespace.ID? = nil,
        @MapContentBuilder content: () -> C
    ) where Content == MapContentView<Never, C>, C: MapContent {
        self.content = Content(
            position: position, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: nil,
            content: content())
    }

    /// A map that shows what the app says.
    nonisolated public init(
        position: Binding<MapCameraPosition>, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, scope: Namespace.ID? = nil
    ) where Content == MapContentView<Never, EmptyMapContent> {
        self.content = Content(
            position: position, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: nil,
            content: EmptyMapContent())
    }

    /// A map with things on it that shows what the app says, of which one thing can be selected.
    nonisolated public init<SelectedValue, C>(
        position: Binding<MapCameraPosition>, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, selection: Binding<SelectedValue?>,
        scope: Namespace.ID? = nil, @MapContentBuilder content: () -> C
    ) where Content == MapContentView<SelectedValue, C>, SelectedValue: Hashable, C: MapContent {
        self.content = Content(
            position: position, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: selection, content: content())
    }

    /// A map that shows what the app says, of which one thing can be selected.
    nonisolated public init<SelectedValue>(
        position: Binding<MapCameraPosition>, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, selection: Binding<SelectedValue?>,
        scope: Namespace.ID? = nil
    ) where Content == MapContentView<SelectedValue, EmptyMapContent>, SelectedValue: Hashable {
        self.content = Content(
            position: position, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: selection, content: EmptyMapContent())
    }

    /// A map with things on it that begins with what the app says.
    nonisolated public init<C>(
        initialPosition: MapCameraPosition, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, scope: Namespace.ID? = nil,
        @MapContentBuilder content: () -> C
    ) where Content == MapContentView<Never, C>, C: MapContent {
        self.content = Content(
            position: nil, first: initialPosition, bounds: bounds, modes: interactionModes, scope: scope,
            selection: nil,
            content: content())
    }

    /// A map that begins with what the app says.
    nonisolated public init(
        initialPosition: MapCameraPosition, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, scope: Namespace.ID? = nil
    ) where Content == MapContentView<Never, EmptyMapContent> {
        self.content = Content(
            position: nil, first: initialPosition, bounds: bounds, modes: interactionModes, scope: scope,
            selection: nil,
            content: EmptyMapContent())
    }

    /// A map with things on it that begins with what the app says, of which one thing can be selected.
    nonisolated public init<SelectedValue, C>(
        initialPosition: MapCameraPosition, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, selection: Binding<SelectedValue?>,
        scope: Namespace.ID? = nil, @MapContentBuilder content: () -> C
    ) where Content == MapContentView<SelectedValue, C>, SelectedValue: Hashable, C: MapContent {
        self.content = Content(
            position: nil, first: initialPosition, bounds: bounds, modes: interactionModes, scope: scope,
            selection: selection, content: content())
    }

    /// A map that begins with what the app says, of which one thing can be selected.
    nonisolated public init<SelectedValue>(
        initialPosition: MapCameraPosition, bounds: MapCameraBounds? = nil,
        interactionModes: MapInteractionModes = .all, selection: Binding<SelectedValue?>,
        scope: Namespace.ID? = nil
    ) where Content == MapContentView<SelectedValue, EmptyMapContent>, SelectedValue: Hashable {
        self.content = Content(
            position: nil, first: initialPosition, bounds: bounds, modes: interactionModes, scope: scope,
            selection: selection, content: EmptyMapContent())
    }

    /// A map with things on it that shows what is on it.
    nonisolated public init<C>(
        bounds: MapCameraBounds? = nil, interactionModes: MapInteractionModes = .all,
        scope: Namespace.ID? = nil, @MapContentBuilder content: () -> C
    ) where Content == MapContentView<Never, C>, C: MapContent {
        self.content = Content(
            position: nil, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: nil,
            content: content())
    }

    /// A map that shows what is on it.
    nonisolated public init(
        bounds: MapCameraBounds? = nil, interactionModes: MapInteractionModes = .all,
        scope: Namespace.ID? = nil
    ) where Content == MapContentView<Never, EmptyMapContent> {
        self.content = Content(
            position: nil, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: nil,
            content: EmptyMapContent())
    }

    /// A map with things on it that shows what is on it, of which one thing can be selected.
    nonisolated public init<SelectedValue, C>(
        bounds: MapCameraBounds? = nil, interactionModes: MapInteractionModes = .all,
        selection: Binding<SelectedValue?>, scope: Namespace.ID? = nil, @MapContentBuilder content: () -> C
    ) where Content == MapContentView<SelectedValue, C>, SelectedValue: Hashable, C: MapContent {
        self.content = Content(
            position: nil, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: selection,
            content: content())
    }

    /// A map that shows what is on it, of which one thing can be selected.
    nonisolated public init<SelectedValue>(
        bounds: MapCameraBounds? = nil, interactionModes: MapInteractionModes = .all,
        selection: Binding<SelectedValue?>, scope: Namespace.ID? = nil
    ) where Content == MapContentView<SelectedValue, EmptyMapContent>, SelectedValue: Hashable {
        self.content = Content(
            position: nil, first: .automatic, bounds: bounds, modes: interactionModes, scope: scope,
            selection: selection,
            content: EmptyMapContent())
    }
}
