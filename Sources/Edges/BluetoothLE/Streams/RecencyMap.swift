// SPDX-License-Identifier: Apache-2.0

/// Values by key, in the order in which they were set last: what was not set for longest can be forgotten first.
///
/// Each operation takes the same time, however many keys there are. Reading a value does not make it younger.
package struct RecencyMap<Key: Hashable, Value> {
    fileprivate struct Node {
        let key: Key
        var value: Value
        /// The index of the node that was set before it, and after it.
        var older: Int?
        var younger: Int?
    }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var indices: [Key: Int] = [:]
    private var oldest: Int?
    private var youngest: Int?

    /// Starts empty.
    package init() {}

    /// How many keys there are.
    package var count: Int { indices.count }

    /// Whether there is no key.
    package var isEmpty: Bool { indices.isEmpty }

    /// The value of a key; setting it makes it the youngest.
    package subscript(key: Key) -> Value? {
        get { indices[key].flatMap { nodes[$0]?.value } }
        set {
            guard let newValue else {
                remove(key)
                return
            }
            if let index = indices[key] {
                nodes[index]?.value = newValue
                guard index != youngest else { return }
                unlink(index)
                link(index)
            } else {
                let node = Node(key: key, value: newValue, older: nil, younger: nil)
                let index = free.popLast() ?? nodes.count
                if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
                indices[key] = index
                link(index)
            }
        }
    }

    /// Takes a key out.
    ///
    /// - Returns: Its value; `nil` when it was not there.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        unlink(index)
        let value = nodes[index]?.value
        nodes[index] = nil
        free.append(index)
        return value
    }

    /// Takes the key out that was not set for longest.
    ///
    /// - Returns: Key and value; `nil` when there is none.
    package mutating func popOldest() -> (key: Key, value: Value)? {
        guard let oldest, let key = nodes[oldest]?.key, let value = remove(key) else { return nil }
        return (key, value)
    }

    private mutating func unlink(_ index: Int) {
        guard let node = nodes[index] else { return }
        if let older = node.older { nodes[older]?.younger = node.younger } else { oldest = node.younger }
        if let younger = node.younger { nodes[younger]?.older = node.older } else { youngest = node.older }
    }

    /// Puts a node that stands nowhere at the young end.
    private mutating func link(_ index: Int) {
        nodes[index]?.older = youngest
        nodes[index]?.younger = nil
        if let youngest { nodes[youngest]?.younger = index } else { oldest = index }
        youngest = index
    }
}

extension RecencyMap.Node: Sendable where Key: Sendable, Value: Sendable {}
extension RecencyMap: Sendable where Key: Sendable, Value: Sendable {}
