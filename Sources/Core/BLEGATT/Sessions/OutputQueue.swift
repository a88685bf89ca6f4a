// SPDX-License-Identifier: Apache-2.0

/// What a session wants done or told, in order.
///
/// It is drained after every input, so it is short; taking an element moves nothing.
public struct OutputQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var taken = 0

    /// Makes an empty queue.
    public init() {}

    /// Elements that wait.
    public var count: Int { elements.count - taken }

    /// Whether nothing waits.
    public var isEmpty: Bool { taken == elements.count }

    /// Adds an element at the end.
    ///
    /// - Parameter element: The element.
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first element.
    ///
    /// - Returns: The element; `nil` when nothing waits.
    public mutating func next() -> Element? {
        guard taken < elements.count else { return nil }
        let element = elements[taken]
        taken += 1
        if taken == elements.count {
            elements.removeAll(keepingCapacity: true)
            taken = 0
        }
        return element
    }
}
