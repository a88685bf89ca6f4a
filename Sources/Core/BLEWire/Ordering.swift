// SPDX-License-Identifier: Apache-2.0

/// One sort for the elements of all types.
///
/// The standard library's is made anew for each type: 3 KB each in Embedded Swift.
@usableFromInline
package final class Ordering {
    /// Whether the element at the first index has to be before the one at the second.
    ///
    /// It is in an object, for which nothing is specialised: for each function that is passed the compiler would make the sort anew.
    private let isBefore: (Int, Int) -> Bool

    @usableFromInline
    package init(_ isBefore: @escaping (Int, Int) -> Bool) { self.isBefore = isBefore }

    /// The indices of a list in the order of its elements; equal ones stay as they are.
    ///
    /// - Parameter count: How many elements there are.
    /// - Returns: The indices.
    @usableFromInline
    @inline(never)
    package func indices(_ count: Int) -> [Int] {
        var order = Array(0..<count), merged = order, width = 1
        while width < count {
            for start in stride(from: 0, to: count, by: 2 * width) {
                let middle = min(start + width, count), end = min(start + 2 * width, count)
                var left = start, right = middle
                // What is in order already is not looked at one by one.
                if middle < end, !isBefore(order[middle], order[middle - 1]) { right = end }
                let isInOrder = right == end
                for place in start..<end {
                    if isInOrder {
                        merged[place] = order[place]
                    } else if left < middle, right == end || !isBefore(order[right], order[left]) {
                        merged[place] = order[left]
                        left += 1
                    } else {
                        merged[place] = order[right]
                        right += 1
                    }
                }
            }
            swap(&order, &merged)
            width *= 2
        }
        return order
    }
}

extension Sequence {
    /// The elements in an order; equal ones stay as they are.
    ///
    /// - Parameter isBefore: Whether the first element has to be before the second.
    /// - Returns: The elements.
    @inlinable
    package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        let all = Array(self)
        return withoutActuallyEscaping(isBefore) { isBefore in
            Ordering { isBefore(all[$0], all[$1]) }.indices(all.count)
        }.map { all[$0] }
    }
}

extension Array {
    /// Puts the elements into an order; equal ones stay as they are.
    ///
    /// - Parameter isBefore: Whether the first element has to be before the second.
    @inlinable
    package mutating func order(by isBefore: (Element, Element) -> Bool) { self = ordered(by: isBefore) }
}
