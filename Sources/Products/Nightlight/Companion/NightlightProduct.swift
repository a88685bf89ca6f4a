// SPDX-License-Identifier: Apache-2.0

/// Nightlight, as the list of products knows it.
public final class NightlightProduct: Product {
    /// Its device's name on the command line.
    public let name = "nightlight"
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.nightlight

    /// Describes the product.
    public init() {}
}
