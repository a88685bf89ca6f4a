// SPDX-License-Identifier: Apache-2.0

/// OverflowArea, as the list of products knows it.
public final class OverflowAreaProduct: Product {
    /// Its device's name on the command line.
    public let name = "iphone"

    /// Describes the product.
    public init() {}
}
