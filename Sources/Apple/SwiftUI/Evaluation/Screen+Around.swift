// SPDX-License-Identifier: Apache-2.0

// What surrounds the view, and what it does that is not seen.
extension Screen {
    /// Changes something that surrounds the view from now on, for example whether the app is in front.
    package func set<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, to value: Value) {
        store.surroundings.append { $0[keyPath: keyPath] = value }
        again()
    }

    /// Says what time it is for what shows the time; without it, that of the clock.
    package func set(time: Date) {
        store.time = time
        again()
    }

    /// Makes the screen larger or smaller, in points.
    package func set(size: CGSize) {
        store.size = size
        again()
    }

    /// What was shared, the last thing last.
    package var shared: [Shared] { store.done.shared }
    /// What a person has felt, the last thing last.
    package var feedback: [SensoryFeedback] { store.done.feedback }
    /// What was copied, the last thing last.
    package var copied: [String] { store.done.copied }
    /// Where views were scrolled to by their identity, the last one last.
    package var scrolled: [AnyHashable] { store.done.scrolled }
    /// What the scene keeps when the app ends.
    package var scene: [String: Any] { store.scene }

    /// What is drawn on canvases now.
    package var drawings: [Drawing] { reachable.flatMap(\.all).flatMap(\.drawings) }

    private func again() {
        store.change.mark()
        update()
    }
}

extension Screen {
    /// Chooses files where the app asks for some.
    package func choose(files: [URL]) throws(Failure) {
        guard let take = reachable.flatMap(\.all).compactMap(\.takeFiles).first else {
            throw Failure(description: "Nobody asks for files.")
        }
        if let refusal = take(files) { throw Failure(description: refusal) }
        update()
    }

    /// Saves what the app wants to save into a folder, and says where it is then.
    @discardableResult package func save(in folder: URL) async throws -> URL? {
        guard let save = reachable.flatMap(\.all).compactMap(\.saveFiles).first else {
            throw Failure(description: "Nothing is to be saved.")
        }
        let saved = await save(folder)
        update()
        return saved.first
    }
}
