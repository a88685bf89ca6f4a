// SPDX-License-Identifier: Apache-2.0

/// A queue: first in, first out, in a ring of places that are used again.
@frozen
public struct FIFO<Element> {
    /// Room that is kept though nothing waits, in elements.
    @usableFromInline static var keptRoom: Int { 1024 }

    /// A power of two of places, or none; the free ones are empty, so that elements are moved out and not copied.
    @usableFromInline var places: [Element?] = []
    /// The place of the first element.
    @usableFromInline var head = 0
    /// How many elements wait.
    @inlinable public var count: Int { used }
    @usableFromInline var used = 0

    /// Starts empty.
    @inlinable
    public init() {}

    /// Whether nothing waits.
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// The element that comes out next.
    @inlinable
    public var first: Element? { isEmpty ? nil : places[head] }

    /// The element that comes out last.
    @inlinable
    public var last: Element? { isEmpty ? nil : places[place(count &- 1)] }

    /// Where an element is.
    @inlinable
    func place(_ index: Int) -> Int { (head &+ index) & (places.count &- 1) }

    /// Puts an element at the end.
    ///
    /// - Parameter element: The element.
    @inlinable
    public mutating func append(_ element: consuming Element) {
        if count == places.count { grow() }
        places[place(count)] = element
        used &+= 1
    }

    /// Takes the first element out.
    ///
    /// - Returns: The element; `nil` when there is none.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = places[head].take()
        head = place(1)
        used &-= 1
        if count == 0, places.count > Self.keptRoom { self = FIFO() }
        return element
    }

    /// Takes the last element out again.
    ///
    /// - Returns: The element; `nil` when there is none.
    @inlinable
    public mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        used &-= 1
        return places[place(count)].take()
    }

    /// Moves all elements of another queue behind its own; the other takes over room that was free here.
    ///
    /// - Parameter other: The other queue, empty afterwards.
    @inlinable
    public mutating func append(contentsOf other: inout FIFO) {
        if isEmpty {
            swap(&self, &other)
        } else {
            while let element = other.popFirst() { append(element) }
        }
    }

    /// Lets everything go; the room stays for what comes next, unless it is large.
    @inlinable
    public mutating func clear() { while popFirst() != nil {} }

    /// Takes everything out.
    ///
    /// - Returns: The elements, first first.
    @inlinable
    public mutating func removeAll() -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        while let element = popFirst() { elements.append(element) }
        self = FIFO()
        return elements
    }

    /// Takes out the elements that a condition holds for; the others stay in their order.
    ///
    /// - Parameter isTakenOut: The condition.
    @inlinable
    public mutating func removeAll(where isTakenOut: (Element) -> Bool) {
        for _ in 0..<count {
            guard let element = popFirst(), !isTakenOut(element) else { continue }
            append(element)
        }
    }

    @inlinable
    @inline(never)
    mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(2, 2 &* count))
        for index in 0..<count { larger.append(places[place(index)].take()) }
        while larger.count < max(2, 2 &* count) { larger.append(nil) }
        places = larger
        head = 0
    }
}

extension FIFO: Sendable where Element: Sendable {}
