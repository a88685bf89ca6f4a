// SPDX-License-Identifier: Apache-2.0

/// The objects of a service as its ObjectManager reports them, kept up to date by its signals.
///
/// Pure. What is not of the documented type is refused with an error and changes nothing.
///
/// D-Bus Specification, "Standard Interfaces".
public struct DBusObjects: Hashable, Sendable {
    /// The properties of an interface, without the variants around them.
    public typealias Properties = [String: DBusValue]

    /// What a signal has changed.
    public enum Change: Hashable, Sendable {
        /// An object has an interface now.
        case added(path: String, interface: String)
        /// An object has an interface no more.
        case removed(path: String, interface: String)
        /// Properties of an object are others, or were sent again.
        case changed(path: String, interface: String, Properties)
    }

    /// The signals that report changes.
    public static let signals: Set<String> = ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged"]
    static let managerInterface = "org.freedesktop.DBus.ObjectManager"
    static let propertiesInterface = "org.freedesktop.DBus.Properties"

    /// The objects by path, and of each its interfaces by name.
    public private(set) var objects: [String: [String: Properties]] = [:]

    /// Knows no object.
    public init() {}

    /// The call that asks a service for all its objects.
    ///
    /// - Parameter service: The service.
    /// - Returns: The call.
    public static func list(of service: String) -> DBusCall {
        DBusCall(service, "/", managerInterface, "GetManagedObjects")
    }

    /// Knows what GetManagedObjects has answered.
    ///
    /// - Parameter answer: The answer.
    /// - Throws: ``DBusError/malformed(_:)``.
    public init(answer: [DBusValue]) throws(DBusError) {
        guard answer.count == 1, let listed = answer[0].named else {
            throw .malformed("GetManagedObjects did not answer with objects")
        }
        for (path, interfaces) in listed { objects[path] = try Self.interfaces(interfaces) }
    }

    /// The properties of an object.
    ///
    /// - Parameters:
    ///   - path: The object.
    ///   - interface: Of which of its interfaces.
    /// - Returns: Them; `nil` when it has no such interface.
    public func properties(_ path: String, _ interface: String) -> Properties? { objects[path]?[interface] }

    /// The objects that have an interface, in the order of their paths.
    ///
    /// - Parameter interface: The interface.
    /// - Returns: Paths and properties.
    public func all(_ interface: String) -> [(path: String, properties: Properties)] {
        objects.compactMap { path, interfaces in interfaces[interface].map { (path, $0) } }
            .sorted { $0.0 < $1.0 }
    }

    /// Handles a signal.
    ///
    /// - Parameter signal: The signal; others than ``signals`` change nothing.
    /// - Returns: What has changed.
    /// - Throws: ``DBusError/malformed(_:)``.
    public mutating func apply(_ signal: DBusSignal) throws(DBusError) -> [Change] {
        let arguments = signal.arguments
        switch (signal.interface, signal.name) {
        case (Self.managerInterface, "InterfacesAdded"):
            guard arguments.count == 2, let path = arguments[0].string else { throw Self.fault(signal) }
            let added = try Self.interfaces(arguments[1])
            objects[path, default: [:]].merge(added) { $1 }
            return added.keys.sorted().map { .added(path: path, interface: $0) }
        case (Self.managerInterface, "InterfacesRemoved"):
            guard arguments.count == 2, let path = arguments[0].string, let gone = arguments[1].strings else {
                throw Self.fault(signal)
            }
            let known = gone.filter { objects[path]?.removeValue(forKey: $0) != nil }
            if objects[path]?.isEmpty == true { objects[path] = nil }
            return known.map { .removed(path: path, interface: $0) }
        case (Self.propertiesInterface, "PropertiesChanged"):
            guard arguments.count == 3, let interface = arguments[0].string, let new = arguments[1].named,
                let invalid = arguments[2].strings
            else { throw Self.fault(signal) }
            // What was not listed yet will be, with these values.
            guard var properties = objects[signal.path]?[interface] else { return [] }
            properties.merge(new) { $1 }
            for name in invalid { properties[name] = nil }
            objects[signal.path]?[interface] = properties
            return [.changed(path: signal.path, interface: interface, new)]
        default: return []
        }
    }

    private static func fault(_ signal: DBusSignal) -> DBusError {
        .malformed("\(signal.name) does not have the arguments that it should")
    }

    private static func interfaces(_ value: DBusValue) throws(DBusError) -> [String: Properties] {
        guard let listed = value.named else { throw .malformed("interfaces are no dictionary of names") }
        var interfaces: [String: Properties] = [:]
        for (name, value) in listed {
            guard let properties = value.named else {
                throw .malformed("the properties of \(name) are no dictionary of names")
            }
            interfaces[name] = properties
        }
        return interfaces
    }
}
