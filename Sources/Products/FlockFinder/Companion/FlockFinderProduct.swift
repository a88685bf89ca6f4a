// SPDX-License-Identifier: Apache-2.0

/// FlockFinder, as the list of products knows it.
public final class FlockFinderProduct: Product {
    /// Its device's name on the command line.
    public let name = "flockfinder"
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.flockFinder

    /// Describes the product.
    public init() {}
}
