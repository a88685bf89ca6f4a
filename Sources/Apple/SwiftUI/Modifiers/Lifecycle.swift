// SPDX-License-Identifier: Apache-2.0

/// A value as it was.
private final class Former<Value> {
    var value: Value?
}

/// A task of a view.
private final class Running {
    var task: Task<Void, Never>?
    var id: AnyHashable?
    deinit { task?.cancel() }
}

extension View {
    /// Does something when the view comes.
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        noted { place in
            place.pass.lifecycles.append(Lifecycle(path: place.path, appear: action ?? {}))
        }
    }

    /// Does something when the view goes.
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        noted { place in
            place.pass.lifecycles.append(Lifecycle(path: place.path, disappear: action ?? {}))
        }
    }

    /// Runs a task while the view is there.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        running(nil, priority, action)
    }

    /// Runs a task while the view is there, from the beginning when a value changes.
    nonisolated public func task<T>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View where T: Equatable {
        let former = { (place: Place) in place.kept("task id") { Former<T>() } }
        return altered { place, nodes in
            let kept = former(place)
            let count = place.kept("task count") { Counter() }
            if kept.value != value {
                kept.value = value
                count.value += 1
            }
            place.run(AnyHashable(count.value), priority, action)
            return nodes
        }
    }

    nonisolated private func running(
        _ id: AnyHashable?, _ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        noted { $0.run(id, priority, action) }
    }

    /// Does something when a value has changed.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View where V: Equatable {
        noted { $0.onChange(of: value, initial: initial, action) }
    }

    /// Does something when a value has changed.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View where V: Equatable {
        onChange(of: value, initial: initial) { _, _ in action() }
    }
}

/// Counts how often a task has begun.
private final class Counter {
    var value = 0
}

extension Place {
    /// Does something after the evaluation in which a value is another than in the one before.
    package func onChange<V: Equatable>(of value: V, initial: Bool, _ action: @escaping (V, V) -> Void) {
        let former = kept("change") { Former<V>() }
        let old = former.value
        former.value = value
        if let old, old != value {
            pass.after.append { action(old, value) }
        } else if old == nil, initial {
            pass.after.append { action(value, value) }
        }
    }

    /// Runs a task from when this place appears until it goes, or until the identity is another.
    fileprivate func run(
        _ id: AnyHashable?, _ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void
    ) {
        let running = kept("task") { Running() }
        let start = {
            running.id = id
            running.task?.cancel()
            running.task = Task(priority: priority) { @MainActor in await action() }
        }
        if running.task != nil, running.id != id { pass.after.append(start) }
        pass.lifecycles.append(
            Lifecycle(
                path: path, appear: start,
                disappear: {
                    running.task?.cancel()
                    running.task = nil
                }))
    }
}
