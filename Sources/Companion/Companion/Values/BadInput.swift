// SPDX-License-Identifier: Apache-2.0

/// Something that a person wrote cannot be used.
public struct BadInput: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence that says what is wrong and what to write instead.
    public let description: String

    /// Makes an error.
    public init(_ description: String) { self.description = description }
}
