// SPDX-License-Identifier: Apache-2.0

extension JSONNode {
    /// The elements of an array.
    ///
    /// - Parameter what: What the array is, for who reads the fault.
    /// - Returns: The elements.
    /// - Throws: ``JSONDecodingError`` for anything else.
    package func elements(_ what: String) throws(JSONDecodingError) -> [JSONNode] {
        guard case .array(let elements) = value else { throw fault("\(what) must be an array") }
        return elements
    }

    /// The elements of an array that is not too long.
    ///
    /// - Parameters:
    ///   - what: What the array is, for who reads the fault.
    ///   - limit: How many there may be.
    /// - Returns: The elements.
    /// - Throws: ``JSONDecodingError`` for anything else.
    package func elements(_ what: String, atMost limit: Int) throws(JSONDecodingError) -> [JSONNode] {
        let elements = try elements(what)
        guard elements.count <= limit else { throw fault("\(what) may be \(limit) at most") }
        return elements
    }

    /// One of few words; null is the usual one.
    ///
    /// - Parameters:
    ///   - what: What the word is, for who reads the fault.
    ///   - usual: The usual one.
    ///   - words: All of them.
    /// - Returns: The word.
    /// - Throws: ``JSONDecodingError`` for anything else.
    package func choice<Word: RawRepresentable<String>>(
        _ what: String, _ usual: Word, of words: [Word]
    ) throws(JSONDecodingError) -> Word {
        if value == .null { return usual }
        guard case .text(let text) = value, let word = words.first(where: { $0.rawValue == text }) else {
            throw fault("\(what) must be one of " + words.map { $0.rawValue }.joined(separator: ", "))
        }
        return word
    }

    /// The value as JSON again.
    package var json: JSONWriter {
        var json = JSONWriter()
        write(into: &json)
        return json
    }

    /// Writes the value as JSON again.
    ///
    /// - Parameter json: Takes it.
    public func write(into json: inout JSONWriter) {
        switch value {
        case .null: json.value(String?.none)
        case .bool(let flag): json.value(flag)
        case .number(let number):
            if let whole = Int64(exactly: number) { json.value(whole) } else { json.value(number) }
        case .text(let text): json.value(text)
        case .array(let elements):
            json.array { json in
                for element in elements { element.write(into: &json) }
            }
        case .object(let members):
            json.object { json in
                for member in members {
                    json.key(member.key)
                    member.node.write(into: &json)
                }
            }
        }
    }
}
