// SPDX-License-Identifier: Apache-2.0

extension Array where Element == UInt8 {
    /// The octets, for whoever only looks at them: what `span` is, which Apple's systems have from version 26 on.
    ///
    /// `ArraySlice.span` is there on older systems, too; it costs no copy.
    @inlinable
    public var octetSpan: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let slice = self[...]
            return unsafe _overrideLifetime(slice.span, borrowing: self)
        }
    }
}
