// SPDX-License-Identifier: Apache-2.0

/// A queue: first in, first out, with room that is used again.
@frozen
public struct FIFO<Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var head = 0

    /// Starts empty.
    @inlinable
    public init() {}

    /// How many elements wait.
    @inlinable
    public var count: Int { elements.count &- head }

    /// Whether nothing waits.
    @inlinable
    public var isEmpty: Bool { head == elements.count }

    /// The element that comes out next.
    @inlinable
    public var first: Element? { head < elements.count ? elements[head] : nil }

    /// The element that comes out last.
    @inlinable
    public var last: Element? { isEmpty ? nil : elements[elements.count &- 1] }

    /// Takes the last element out again.
    ///
    /// - Returns: The element; `nil` when there is none.
    @inlinable
    public mutating func popLast() -> Element? { isEmpty ? nil : elements.popLast() }

    /// Puts an element at the end.
    ///
    /// - Parameter element: The element.
    @inlinable
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first element out.
    ///
    /// - Returns: The element; `nil` when there is none.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        if head &+ 1 == elements.count {
            // Moved out and not copied; nearly always it is alone.
            let element = elements.removeLast()
            if head > 0 || elements.capacity > 1024 {
                elements.removeAll(keepingCapacity: elements.capacity <= 1024)
                head = 0
            }
            return element
        }
        let element = elements[head]
        head &+= 1
        if head >= 64, head &* 2 >= elements.count {
            // Elements that were taken out must not live on.
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes everything out.
    ///
    /// - Returns: The elements, first first.
    @inlinable
    public mutating func removeAll() -> [Element] {
        defer {
            elements = []
            head = 0
        }
        return Array(elements[head...])
    }
}

extension FIFO: Sendable where Element: Sendable {}
