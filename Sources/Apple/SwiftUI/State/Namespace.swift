// SPDX-License-Identifier: Apache-2.0

/// A name that no other view has.
@propertyWrapper public struct Namespace: DynamicProperty {
    /// The name.
    public struct ID: Hashable, Sendable {
        let path: String
    }

    private let link = Shared(ID(path: ""))

    /// A name that no other view has.
    public init() {}

    /// The name.
    public var wrappedValue: Namespace.ID { link.target }
}

extension Namespace: Installed {
    func install(_ place: Place) { link.target = ID(path: place.path) }
}
