// SPDX-License-Identifier: Apache-2.0

package import Companion

/// What cannot be used in a file that is imported, each kind once: the first row of it, and how many there are.
public struct ImportFaults: Hashable, Sendable {
    /// How many kinds are kept.
    public static let mostKinds = 20

    /// Rows that cannot be used for one reason.
    public struct Kind: Hashable, Sendable {
        /// Where the first of them is and what is wrong.
        public let fault: ImportError
        /// How many there are.
        public fileprivate(set) var rows: Int

        /// Writes it as one JSON object.
        ///
        /// - Parameter json: Where it is written.
        package func write(into json: inout JSONWriter) { fault.write(into: &json, count: rows) }
    }

    /// The kinds, in the order in which they came.
    public private(set) var kinds: [Kind] = []
    /// How many rows cannot be used, those of kinds that are not kept among them.
    public private(set) var rows = 0
    /// What each of ``kinds`` is known by.
    private var names: [String] = []

    /// Makes a list of nothing.
    public init() {}

    /// Takes a row that cannot be used.
    ///
    /// - Parameter fault: Where it is and what is wrong.
    package mutating func add(_ fault: ImportError) {
        rows += 1
        let name = fault.kind
        if let index = names.firstIndex(of: name) {
            kinds[index].rows += 1
        } else if kinds.count < Self.mostKinds {
            names.append(name)
            kinds.append(Kind(fault: fault, rows: 1))
        }
    }
}
