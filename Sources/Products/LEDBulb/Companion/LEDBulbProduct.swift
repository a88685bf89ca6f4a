// SPDX-License-Identifier: Apache-2.0

/// LEDBulb, as the list of products knows it.
public final class LEDBulbProduct: Product {
    /// Its device's name on the command line.
    public let name = "bulb"
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.ledBulb

    /// Describes the product.
    public init() {}
}
