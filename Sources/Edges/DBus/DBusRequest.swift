// SPDX-License-Identifier: Apache-2.0

import BLETransport
import CSDBus
import Synchronization

/// A call of a method of one of our objects.
///
/// It is answered once; when nobody holds it any more and it was not, its caller is told that it failed.
public final class DBusRequest: Sendable {
    /// Who calls: a unique name.
    public let sender: String
    /// The path of the object.
    public let path: String
    /// The interface.
    public let interface: String
    /// The method.
    public let method: String
    /// What it is given.
    public let arguments: [DBusValue]
    private let connection: DBusConnection
    private let message: Mutex<Message?>

    /// A message that the library keeps for us.
    ///
    /// Unchecked: only touched on the loop.
    private struct Message: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Takes a call over; only on the loop.
    fileprivate init(_ message: OpaquePointer, _ connection: DBusConnection, _ arguments: [DBusValue]) {
        let sd = connection.sd.pointee
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        sender = text(sd.message_get_sender(message))
        path = text(sd.message_get_path(message))
        interface = text(sd.message_get_interface(message))
        method = text(sd.message_get_member(message))
        self.arguments = arguments
        self.connection = connection
        self.message = Mutex(Message(pointer: sd.message_ref(message) ?? message))
    }

    deinit { reply(.failure(.refused(name: "org.freedesktop.DBus.Error.Failed", message: "not answered"))) }

    /// Answers it.
    ///
    /// - Parameter values: What the method gives.
    public func answer(_ values: [DBusValue] = []) { reply(.success(values)) }

    /// Refuses it.
    ///
    /// - Parameters:
    ///   - name: The error, as in `org.bluez.Error.NotSupported`.
    ///   - text: What it says.
    public func refuse(_ name: String, _ text: String = "") {
        reply(.failure(.refused(name: name, message: text)))
    }

    private func reply(_ result: Result<[DBusValue], DBusError>) {
        let taken = message.withLock { message in
            defer { message = nil }
            return message
        }
        guard let taken else { return }
        connection.loop.execute { [connection] in
            connection.reply(result, to: taken.pointer)
            _ = connection.sd.pointee.message_unref(taken.pointer)
        }
    }
}

/// Objects of ours below a path.
///
/// Unchecked: only touched on the loop.
final class ServedObjects: @unchecked Sendable {
    unowned let connection: DBusConnection
    let handler: @Sendable (DBusRequest) -> Void
    var slot: OpaquePointer?

    init(_ connection: DBusConnection, _ handler: @escaping @Sendable (DBusRequest) -> Void) {
        self.connection = connection
        self.handler = handler
    }
}

extension DBusConnection {
    /// Has calls of our objects handled from now on.
    ///
    /// - Parameters:
    ///   - path: The object above them all, for which calls are handled as well.
    ///   - handler: Called on the loop.
    public func serve(_ path: String, _ handler: @escaping @Sendable (DBusRequest) -> Void) {
        loop.execute {
            guard self.end == nil else { return }
            let objects = ServedObjects(self, handler)
            let context = Unmanaged.passUnretained(objects).toOpaque()
            guard self.sd.pointee.add_fallback(self.bus, &objects.slot, path, called, context) >= 0 else {
                return
            }
            self.services[path] = objects
            self.update()
        }
    }

    /// Serves the objects below a path no more.
    ///
    /// - Parameter path: As it was given to ``serve(_:_:)``.
    public func stopServing(_ path: String) {
        loop.execute {
            guard self.end == nil, let slot = self.services.removeValue(forKey: path)?.slot else { return }
            _ = self.sd.pointee.slot_unref(slot)
        }
    }

    /// Tells everybody of something.
    ///
    /// - Parameter signal: What; its sender is this connection, whatever it says.
    public func emit(_ signal: DBusSignal) {
        loop.execute {
            guard self.end == nil else { return }
            var message: OpaquePointer?
            let sd = self.sd.pointee
            guard sd.message_new_signal(self.bus, &message, signal.path, signal.interface, signal.name) >= 0
            else { return }
            self.send(message, signal.arguments)
        }
    }

    fileprivate func reply(_ result: Result<[DBusValue], DBusError>, to call: OpaquePointer) {
        guard end == nil, sd.pointee.message_get_expect_reply(call) > 0 else { return }
        var message: OpaquePointer?
        switch result {
        case .success(let values):
            guard sd.pointee.message_new_method_return(call, &message) >= 0 else { return }
            send(message, values)
        case .failure(let error):
            var (name, text) = ("org.freedesktop.DBus.Error.Failed", error.description)
            if case .refused(let given, let why) = error { (name, text) = (given, why) }
            name.withCString { name in
                text.withCString { text in
                    var error = sd_bus_error(name: name, message: text, _need_free: 0)
                    guard sd.pointee.message_new_method_error(call, &message, &error) >= 0 else { return }
                    send(message, [])
                }
            }
        }
    }

    /// Sends a message and lets it go.
    private func send(_ message: OpaquePointer?, _ values: [DBusValue]) {
        guard let message else { return }
        defer { _ = sd.pointee.message_unref(message) }
        do throws(SystemCallError) {
            let writer = MessageWriter(sd: sd, message: message)
            for value in values { try writer.append(value) }
            try SystemCallError.check(sd.pointee.send(bus, message, nil))
        } catch {
            // Of values that are none nobody can be told.
        }
        update()
    }
}

private func called(
    _ message: OpaquePointer, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
    guard let context else { return 0 }
    let objects = Unmanaged<ServedObjects>.fromOpaque(context).takeUnretainedValue()
    let connection = objects.connection
    switch read(message, connection.sd) {
    case .success(let values): objects.handler(DBusRequest(message, connection, values))
    case .failure:
        DBusRequest(message, connection, []).refuse(
            "org.freedesktop.DBus.Error.InvalidArgs", "the arguments cannot be read")
    }
    return 1
}
