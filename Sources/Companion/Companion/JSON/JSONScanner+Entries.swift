// SPDX-License-Identifier: Apache-2.0

package import WireJSON

extension JSONScanner {
    /// Walks over the entries of an object, as far as it is one: whoever reads it whole says what is wrong with it.
    ///
    /// - Parameters:
    ///   - octets: The text of the object.
    ///   - body: Takes the octets of a key, without escapes, and its value; says whether to go on.
    package static func forEachEntry(of octets: Span<UInt8>, _ body: ([UInt8], Token) -> Bool) {
        var scanner = JSONScanner(position: 0)
        do throws(JSONError) {
            try scanner.expect(UInt8(ascii: "{"), octets)
            while try scanner.peek(octets) != UInt8(ascii: "}") {
                let key = text(of: try scanner.key(octets), in: octets)
                guard body(key, try scanner.value(octets)) else { return }
                if try scanner.peek(octets) == UInt8(ascii: ",") { scanner.position &+= 1 }
            }
        } catch {
            // The text ends here, or is no object.
        }
    }
}
