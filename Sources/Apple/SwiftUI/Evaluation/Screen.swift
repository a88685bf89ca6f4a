// SPDX-License-Identifier: Apache-2.0

/// A view on a screen that is not there, as a person with VoiceOver has it.
///
/// It is evaluated again when something has changed that was read: what is observable, and what views keep.
@MainActor package final class Screen {
    /// What could not be done, and why.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private let evaluate: (Place) -> [Node]
    let store: Store
    private let change = Change()
    private var nodes: [Node] = []
    private var layers: [Layer] = []
    private var alive: [String: Lifecycle] = [:]
    private var isEvaluating = false
    private var isClosed = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var openHandlers: [(URL) -> Void] = []
    /// Which keys of the catalogue were shown, since the screen was made.
    package private(set) var shownKeys: Set<String> = []
    /// Which addresses were given to the system.
    package private(set) var openedURLs: [URL] = []
    /// How often it was evaluated.
    package private(set) var evaluations = 0
    /// The menu that is open, by its place.
    var openMenu: String?

    /// Shows a view.
    ///
    /// `strings` are texts of a catalogue by their keys; a key that is not there is shown itself.
    /// `environment` changes what surrounds the view, for example the size of text; `size` is how large the
    /// screen is, in points, and `scene` what the scene has kept.
    package init<V: View>(
        strings: [String: String] = [:], size: CGSize? = nil, scene: [String: Any] = [:],
        environment: @escaping (inout EnvironmentValues) -> Void = { _ in },
        @ViewBuilder _ content: @escaping () -> V
    ) {
        evaluate = { $0.nodes(of: content()) }
        store = Store(change: change)
        store.surroundings = [environment]
        store.strings = { strings[$0] }
        store.scene = scene
        if let size { store.size = size }
        change.onMark { [weak self] in Task { @MainActor in self?.changed() } }
        update()
    }

    private func changed() {
        update()
        let waiting = self.waiting
        self.waiting = []
        for one in waiting { one.resume() }
    }

    /// Evaluates until nothing changes any more.
    package func update() {
        guard !isEvaluating, !isClosed else { return }
        isEvaluating = true
        defer { isEvaluating = false }
        var rounds = 0
        while change.take() {
            rounds += 1
            precondition(rounds < 100, "The view changes each time that it is evaluated.")
            once()
        }
    }

    private func once() {
        let pass = Pass(store: store)
        evaluations += 1
        var values = EnvironmentValues()
        values.openURL = .ofSystem { [weak self] in self?.openedURLs.append($0) }
        values.room = store.size
        values.editMode = Place(pass: pass, path: "", environment: values).state("editMode", first: .inactive)
        for surround in store.surroundings { surround(&values) }
        let change = change
        nodes = withObservationTracking {
            evaluate(Place(pass: pass, path: "", environment: values))
        } onChange: {
            change.mark()
        }
        layers = pass.layers.sorted { $0.order < $1.order }
        openHandlers = pass.openURL
        shownKeys.formUnion(pass.keys)
        store.ids = pass.ids
        live(pass.lifecycles)
        pass.forget()
        for action in pass.after { action() }
    }

    /// Tells views that they have come or gone.
    private func live(_ lifecycles: [Lifecycle]) {
        var now: [String: Lifecycle] = [:]
        for lifecycle in lifecycles where !lifecycle.isCovered { now[lifecycle.path] = lifecycle }
        let (gone, come) = (alive, now)
        alive = now
        for (path, lifecycle) in gone.sorted(by: { $0.key < $1.key }) where come[path] == nil {
            lifecycle.disappear()
        }
        for lifecycle in lifecycles where !lifecycle.isCovered && gone[lifecycle.path] == nil {
            lifecycle.appear()
        }
    }

    /// Takes everything away: views go, and their tasks are cancelled.
    package func close() {
        isClosed = true
        for lifecycle in alive.values { lifecycle.disappear() }
        alive = [:]
        store.kept = [:]
    }

    /// Gives the app an address, as the system does.
    package func receive(_ url: URL) {
        update()
        for handler in openHandlers { handler(url) }
        update()
    }

    /// What lies at the bottom, without sheets and alerts.
    package var root: [Node] {
        update()
        return nodes
    }

    /// What lies over it, the topmost last.
    package var presented: [Node] {
        update()
        return layers.map(\.node)
    }

    /// What a person can reach: the topmost sheet or alert, or the page.
    package var reachable: [Node] {
        update()
        let top = layers.last.map { [$0.node] } ?? nodes
        if let openMenu, let menu = top.flatMap(\.all).first(where: { $0.path == openMenu })?.menu {
            return menu
        }
        return top
    }

    /// What takes the topmost sheet or alert away.
    var dismissTop: (layer: Node, dismiss: () -> Void)? {
        update()
        return layers.last.flatMap { layer in layer.dismiss.map { (layer.node, $0) } }
    }

    /// All keys of the catalogue that were shown.
    package var keys: Set<String> {
        update()
        return shownKeys
    }

    /// Waits for the next change.
    func nextChange() async {
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Ends the waiting, since the time is up or something else has changed.
    func wake() {
        let waiting = self.waiting
        self.waiting = []
        for one in waiting { one.resume() }
    }

    /// Waits until a condition holds, for so many seconds at most.
    ///
    /// Between two looks it waits for a change of what the view or the condition has read. What nobody
    /// observes is looked at every 50 milliseconds.
    @discardableResult
    package func wait(seconds: Double = 30, for condition: @escaping @MainActor () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            update()
            let holds = withObservationTracking {
                condition()
            } onChange: { [weak self] in
                Task { @MainActor in self?.wake() }
            }
            if holds { return true }
            guard ContinuousClock.now < end else { return false }
            let tick = Task { @MainActor [weak self] in
                try? await Task.sleep(for: .milliseconds(50))
                self?.wake()
            }
            await nextChange()
            tick.cancel()
        }
    }
}
