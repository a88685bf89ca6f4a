// SPDX-License-Identifier: Apache-2.0

/// Why something asked of a bus did not work.
public enum DBusError: Error, Hashable, Sendable {
    /// There is no bus, or no library to speak with it.
    case unavailable(String)
    /// The connection to the bus is gone.
    case lost(String)
    /// The service did not answer in time.
    case timeout
    /// The task was cancelled.
    case cancelled
    /// The service, or the bus, refused: the name of the error and what it says.
    case refused(name: String, message: String)
    /// What was to be sent is no message that a bus takes: the text says why.
    case invalid(String)
    /// What came is not what was expected: the text says what.
    case malformed(String)
}

extension DBusError: CustomStringConvertible {
    /// What has happened, in words.
    public var description: String {
        switch self {
        case .unavailable(let why): "there is no D-Bus: \(why)"
        case .lost(let why): "the connection to D-Bus is gone: \(why)"
        case .timeout: "the service did not answer in time"
        case .cancelled: "it was cancelled"
        case .refused(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        case .invalid(let why): "this cannot be sent over D-Bus: \(why)"
        case .malformed(let what): "the service answered with something unexpected: \(what)"
        }
    }
}

/// A method to be called.
public struct DBusCall: Hashable, Sendable {
    /// The name of the service, as in `org.bluez`.
    public var service: String
    /// The path of the object.
    public var path: String
    /// The interface.
    public var interface: String
    /// The method.
    public var method: String
    /// What it is given.
    public var arguments: [DBusValue]

    /// Names a method.
    public init(
        _ service: String, _ path: String, _ interface: String, _ method: String,
        _ arguments: [DBusValue] = []
    ) {
        self.service = service
        self.path = path
        self.interface = interface
        self.method = method
        self.arguments = arguments
    }

    /// The call that asks the bus whether a service is there, which starts none.
    ///
    /// - Parameter service: The name of the service.
    /// - Returns: The call; its answer is a truth value.
    public static func hasOwner(of service: String) -> DBusCall {
        let bus = "org.freedesktop.DBus"
        return DBusCall(bus, "/org/freedesktop/DBus", bus, "NameHasOwner", [.string(service)])
    }
}

/// A signal that has come.
public struct DBusSignal: Hashable, Sendable {
    /// Who has sent it: a unique name.
    public var sender: String
    /// The path of the object.
    public var path: String
    /// The interface.
    public var interface: String
    /// The signal's name.
    public var name: String
    /// What it says.
    public var arguments: [DBusValue]

    /// Makes a signal.
    public init(
        sender: String = "", path: String, interface: String, name: String, arguments: [DBusValue]
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.name = name
        self.arguments = arguments
    }
}
