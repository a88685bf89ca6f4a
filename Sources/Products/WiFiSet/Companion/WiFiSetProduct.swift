// SPDX-License-Identifier: Apache-2.0

/// WiFiSet, as the list of products knows it.
public final class WiFiSetProduct: Product {
    /// Its device's name on the command line.
    public let name = "wifiset"
    /// The names of its UUIDs.
    public let uuidNames = UUIDNames.wifiSet

    /// Describes the product.
    public init() {}
}
