// SPDX-License-Identifier: Apache-2.0

#if hasFeature(Embedded)

// In a page the text is no part of the program: it is as large as a third of it, and most of what is shown needs none.

extension NumberLines {
    // A page has one thread.
    nonisolated(unsafe) fileprivate static var fetched: [UInt8] = []

    /// Does something with the text, which is empty before a page has fetched it.
    static func withText<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
        let text = unsafe fetched
        return body(text.span)
    }
}

extension AssignedNumbers {
    /// Takes the text that a page has fetched; names are there from then on.
    ///
    /// - Parameter text: What `Sources/Edges/CAssignedNumbers/assigned-numbers.txt` holds.
    /// - Throws: What is wrong with it; nothing of it is taken then.
    public static func load(_ text: [UInt8]) throws(AssignedNumbersError) {
        try NumberLines.check(text)
        unsafe NumberLines.fetched = text
    }
}

#endif
