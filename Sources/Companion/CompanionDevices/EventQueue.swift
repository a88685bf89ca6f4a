// SPDX-License-Identifier: Apache-2.0

/// A bounded queue with one reader, who gets all that wait at once.
///
/// Appending to a full queue waits: that is how a slow disk holds the radio back.
package actor EventQueue<Element: Sendable> {
    private enum State {
        case open
        /// No more comes; what waits is still taken out.
        case finished
        /// Nobody reads any more; what is appended is dropped.
        case abandoned
    }

    private let capacity: Int
    private var elements: [Element] = []
    private var state = State.open
    private var isWoken = false
    private var waitingForRoom: [CheckedContinuation<Void, Never>] = []
    private var waitingForElements: [CheckedContinuation<Void, Never>] = []

    /// Makes an empty queue.
    ///
    /// - Parameter capacity: How many events may wait.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Adds an element; waits while the queue is full.
    package func append(_ element: Element) async {
        while state == .open, elements.count >= capacity {
            await withCheckedContinuation { waitingForRoom.append($0) }
        }
        guard state == .open else { return }
        elements.append(element)
        resumeAll(&waitingForElements)
    }

    /// Removes and returns all elements; waits while there are none.
    ///
    /// - Returns: The elements in order, none after ``wake()``; `nil` when no more will come.
    package func next() async -> [Element]? {
        while state == .open, elements.isEmpty, !isWoken {
            await withCheckedContinuation { waitingForElements.append($0) }
        }
        isWoken = false
        guard state == .open || !elements.isEmpty else { return nil }
        let waiting = elements
        elements = []
        resumeAll(&waitingForRoom)
        return waiting
    }

    /// Ends the present wait for elements, or the next one, without any.
    package func wake() {
        isWoken = true
        resumeAll(&waitingForElements)
    }

    /// Ends the queue: no more elements come.
    package func finish() {
        if state == .open { state = .finished }
        resumeAll(&waitingForElements)
        resumeAll(&waitingForRoom)
    }

    /// Abandons the queue: nothing is removed any more, and elements are dropped.
    package func abandon() {
        state = .abandoned
        elements = []
        resumeAll(&waitingForElements)
        resumeAll(&waitingForRoom)
    }

    private func resumeAll(_ waiting: inout [CheckedContinuation<Void, Never>]) {
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
    }
}
