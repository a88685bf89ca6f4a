// SPDX-License-Identifier: Apache-2.0

/// Improv, as the list of products knows it.
public final class ImprovProduct: Product {
    /// Its device's name on the command line.
    public let name = "improv"
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.improv

    /// Describes the product.
    public init() {}
}
