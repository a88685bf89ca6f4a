// SPDX-License-Identifier: Apache-2.0

public import BLETransport
import BLEWire
import CSDBus

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A connection to a message bus, which knows nothing of what is spoken over it.
///
/// It runs on a loop: what it brings is handled there, and what is given to it is called there. Each call ends once: by
/// its answer, its time-out, the cancellation of its task, or the end of the connection. Unchecked: everything that
/// changes is only touched on the loop.
public final class DBusConnection: @unchecked Sendable {
    /// Messages handled in one turn.
    private static let turnLimit = 64

    /// What it runs on.
    public let loop: TransportLoop
    let sd: SDBus
    let bus: OpaquePointer
    private var watch: LoopDescriptor?
    private var timer: LoopTimer?
    private var calls: [ObjectIdentifier: PendingCall] = [:]
    private var matches: [Match] = []
    var services: [String: ServedObjects] = [:]
    private var endHandler: (@Sendable (DBusError) -> Void)?
    private(set) var end: DBusError?

    /// The bus of the machine: what the environment names, else where it always is.
    public static var systemAddress: String {
        if let named = getenv("DBUS_SYSTEM_BUS_ADDRESS"), named.pointee != 0 { return String(cString: named) }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    private init(_ loop: TransportLoop, _ sd: SDBus, _ bus: OpaquePointer) {
        self.loop = loop
        self.sd = sd
        self.bus = bus
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: The bus, as in `unix:path=/run/dbus/system_bus_socket`.
    ///   - loop: What to run on.
    ///   - ended: Called once on the loop when the connection is gone, unless ``close()`` has ended it.
    /// - Returns: The connection, which lives until it ends. Calls may be made at once; they fail when there is no bus.
    /// - Throws: ``DBusError/unavailable(_:)`` when there is no library, or nothing at the address.
    public static func open(
        _ address: String = systemAddress, on loop: TransportLoop,
        ended: @escaping @Sendable (DBusError) -> Void = { _ in }
    ) throws(DBusError) -> DBusConnection {
        guard let sd = lantern_sd_bus_load() else {
            throw .unavailable("libsystemd.so.0, which speaks it, is not installed")
        }
        var bus: OpaquePointer?
        guard sd.pointee.new(&bus) >= 0, let bus else { throw .unavailable("there is no memory for it") }
        do throws(SystemCallError) {
            try SystemCallError.check(sd.pointee.set_address(bus, address))
            try SystemCallError.check(sd.pointee.set_bus_client(bus, 1))
            try SystemCallError.check(sd.pointee.start(bus))
        } catch {
            _ = sd.pointee.close_unref(bus)
            throw .unavailable("nothing answers at \(address): \(error.words)")
        }
        let connection = DBusConnection(loop, sd, bus)
        connection.endHandler = ended
        loop.execute { connection.begin() }
        return connection
    }

    /// Lets the connection go: calls that wait fail.
    public func close() {
        loop.execute {
            self.endHandler = nil
            self.finish(.lost("it was closed"))
        }
    }

    /// Calls a method.
    ///
    /// - Parameters:
    ///   - call: The method.
    ///   - timeout: How long to wait for the answer, up to an hour.
    /// - Returns: What it answers.
    /// - Throws: ``DBusError``.
    public func call(
        _ call: DBusCall, timeout: Duration = .seconds(25)
    ) async throws(DBusError) -> [DBusValue] {
        let pending = PendingCall(self)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                loop.execute {
                    pending.completed = { waiter.resume(returning: $0) }
                    self.begin(call, timeout, pending)
                }
            }
        } onCancel: {
            loop.execute {
                pending.isCancelled = true
                self.finish(pending, .failure(.cancelled))
            }
        }
        return try result.get()
    }

    /// Calls a method, for whoever needs the answer in order with the signals around it.
    ///
    /// - Parameters:
    ///   - call: The method.
    ///   - timeout: How long to wait for the answer, up to an hour.
    ///   - completed: Called on the loop, once.
    public func send(
        _ call: DBusCall, timeout: Duration = .seconds(25),
        completed: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void
    ) {
        loop.execute {
            let pending = PendingCall(self)
            pending.completed = completed
            self.begin(call, timeout, pending)
        }
    }

    /// Has signals handled from now on, as long as the connection lives.
    ///
    /// - Parameters:
    ///   - rule: Which, as in `type='signal',sender='org.bluez'`.
    ///   - handler: Called on the loop; of what cannot be understood with the error.
    public func handleSignals(
        _ rule: String, _ handler: @escaping @Sendable (Result<DBusSignal, DBusError>) -> Void
    ) {
        loop.execute {
            guard self.end == nil else { return }
            let match = Match(self, handler)
            self.matches.append(match)
            let context = Unmanaged.passUnretained(match).toOpaque()
            let result = self.sd.pointee.add_match_async(self.bus, nil, rule, received, nil, context)
            if result < 0 {
                handler(.failure(SystemCallError(number: -result).unsent("\(rule) is no rule for signals")))
            }
            self.update()
        }
    }

    // MARK: On the loop

    private func begin() {
        guard end == nil else { return }
        // The loop holds this by it until the end.
        watch = LoopDescriptor(sd.pointee.get_fd(bus), on: loop) { self.pump() }
        timer = loop.makeTimer { [weak self] in self?.pump() }
        pump()
    }

    private func begin(_ call: DBusCall, _ timeout: Duration, _ pending: PendingCall) {
        if pending.isCancelled { return finish(pending, .failure(.cancelled)) }
        if let end { return finish(pending, .failure(end)) }
        var message: OpaquePointer?
        defer { if let message { _ = sd.pointee.message_unref(message) } }
        do throws(SystemCallError) {
            try SystemCallError.check(
                sd.pointee.message_new_method_call(
                    bus, &message, call.service, call.path, call.interface, call.method))
            guard let message else { throw SystemCallError(number: ENOMEM) }
            let writer = MessageWriter(sd: sd, message: message)
            for argument in call.arguments { try writer.append(argument) }
            let context = Unmanaged.passUnretained(pending).toOpaque()
            let (seconds, attoseconds) = max(.zero, min(timeout, .seconds(3600))).components
            // Nothing would mean the library's own time.
            let microseconds = max(1, UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000))
            calls[ObjectIdentifier(pending)] = pending
            try SystemCallError.check(
                sd.pointee.call_async(bus, &pending.slot, message, answered, context, microseconds))
        } catch {
            finish(pending, .failure(error.unsent("\(call.method): \(error.words)")))
        }
        update()
    }

    private func pump() {
        guard end == nil else { return }
        for _ in 0..<Self.turnLimit {
            let result = sd.pointee.process(bus, nil)
            guard end == nil else { return }
            if result < 0 { return finish(.lost(SystemCallError(number: -result).words)) }
            if result == 0 { return update() }
        }
        loop.execute { self.pump() }
    }

    /// Watches for what the library waits for.
    func update() {
        guard end == nil, let watch else { return }
        let events = sd.pointee.get_events(bus)
        guard events >= 0 else { return loop.execute { self.pump() } }
        watch.watch(toRead: events & CInt(POLLIN) != 0, toWrite: events & CInt(POLLOUT) != 0)
        var due = UInt64.max
        guard sd.pointee.get_timeout(bus, &due) >= 0, due != .max else { return timer?.set(nil) ?? () }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) &* 1_000_000 &+ UInt64(time.tv_nsec) / 1000
        timer?.set(loop.now.advanced(byMicroseconds: due > now ? due - now : 0))
    }

    fileprivate func finish(_ pending: PendingCall, _ result: Result<[DBusValue], DBusError>) {
        calls[ObjectIdentifier(pending)] = nil
        if let slot = pending.slot { _ = sd.pointee.slot_unref(slot) }
        pending.slot = nil
        let completed = pending.completed
        pending.completed = nil
        completed?(result)
    }

    private func finish(_ why: DBusError) {
        guard end == nil else { return }
        end = why
        watch?.end()
        (watch, timer) = (nil, nil)
        for call in calls.values { finish(call, .failure(why)) }
        // Not here: the library may be in the middle of a message.
        loop.execute {
            _ = self.sd.pointee.close_unref(self.bus)
            self.matches = []
            self.services = [:]
        }
        let handler = endHandler
        endHandler = nil
        handler?(why)
    }
}

/// A call that waits for its answer.
///
/// Unchecked: only touched on the loop.
private final class PendingCall: @unchecked Sendable {
    unowned let connection: DBusConnection
    var completed: ((Result<[DBusValue], DBusError>) -> Void)?
    var slot: OpaquePointer?
    var isCancelled = false

    init(_ connection: DBusConnection) { self.connection = connection }
}

/// A handler of signals.
///
/// Unchecked: only touched on the loop.
private final class Match: @unchecked Sendable {
    unowned let connection: DBusConnection
    let handler: @Sendable (Result<DBusSignal, DBusError>) -> Void

    init(
        _ connection: DBusConnection, _ handler: @escaping @Sendable (Result<DBusSignal, DBusError>) -> Void
    ) {
        self.connection = connection
        self.handler = handler
    }
}

private func answered(
    _ message: OpaquePointer, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
    guard let context else { return 0 }
    let pending = Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
    let connection = pending.connection
    let result: Result<[DBusValue], DBusError>
    if let error = connection.sd.pointee.message_get_error(message)?.pointee {
        let text = error.message.map { String(cString: $0) } ?? ""
        // The library makes both of these itself; a bus says the same of a service that went, in other words.
        result =
            switch text {
            case "Method call timed out": .failure(.timeout)
            case "Connection terminated": .failure(.lost("the bus has closed it"))
            default: .failure(.refused(name: error.name.map { String(cString: $0) } ?? "", message: text))
            }
    } else {
        result = read(message, connection.sd)
    }
    connection.finish(pending, result)
    return 0
}

private func received(
    _ message: OpaquePointer, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
    guard let context else { return 0 }
    let match = Unmanaged<Match>.fromOpaque(context).takeUnretainedValue()
    let sd = match.connection.sd
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    match.handler(
        read(message, sd).map { values in
            DBusSignal(
                sender: text(sd.pointee.message_get_sender(message)),
                path: text(sd.pointee.message_get_path(message)),
                interface: text(sd.pointee.message_get_interface(message)),
                name: text(sd.pointee.message_get_member(message)), arguments: values)
        })
    return 0
}

func read(_ message: OpaquePointer, _ sd: SDBus) -> Result<[DBusValue], DBusError> {
    do throws(SystemCallError) {
        return .success(try MessageReader(sd: sd, message: message).values())
    } catch {
        return .failure(.malformed(error.words))
    }
}
