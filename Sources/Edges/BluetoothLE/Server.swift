// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// What a peripheral offers and advertises.
public struct ServerDescription: Sendable {
    /// The device's name, for GAP.
    public var name: WireText
    /// The device's appearance, for GAP.
    public var appearance: UInt16
    /// The services beside GAP and GATT.
    public var services: [GATT.ServiceDefinition]
    /// Serve exactly these attributes, GAP and GATT among them, instead of laying out ``services``.
    public var database: GATT.Database?
    /// What to advertise.
    public var advertisement: DeviceAdvertisement
    /// Whether links are accepted.
    public var isConnectable: Bool

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - appearance: The device's appearance.
    ///   - services: The services beside GAP and GATT.
    ///   - advertisement: What to advertise.
    ///   - isConnectable: Whether links are accepted.
    public init(
        name: WireText,
        appearance: UInt16 = 0,
        services: [GATT.ServiceDefinition],
        advertisement: DeviceAdvertisement,
        isConnectable: Bool = true
    ) {
        self.name = name
        self.appearance = appearance
        self.services = services
        self.advertisement = advertisement
        self.isConnectable = isConnectable
    }
}

/// A running server.
public protocol Server: Sendable, AnyObject {
    /// The database with its handles.
    var database: GATT.Database { get async }

    /// What clients do; ends when the server is stopped or the radio is gone.
    ///
    /// One consumer. It must go on taking events out: each request of a client is one, and waits for its
    /// ``answer(_:on:)``. When 1024 wait, the radio is not read any more until some were taken out.
    func events() async -> ServerEventStream

    /// Answers a read or write.
    ///
    /// - Parameters:
    ///   - result: The whole value for a read, anything for a write, or why not.
    ///   - link: Whose request.
    func answer(_ result: Result<[UInt8], ATT.ErrorCode>, on link: LinkID) async

    /// Sends a value; waits while the link has no room.
    ///
    /// - Parameters:
    ///   - value: The value; what exceeds MTU - 3 octets is cut off.
    ///   - handle: Its handle.
    ///   - kind: How.
    ///   - link: To whom.
    /// - Returns: Whether it was sent; not when the client has not subscribed or is gone.
    func send(_ value: [UInt8], of handle: AttributeHandle, as kind: GATT.ValueKind, to link: LinkID) async
        -> Bool

    /// Asks a client for other timing of its link.
    ///
    /// - Parameters:
    ///   - range: What is wanted.
    ///   - link: Whose link.
    /// - Returns: The timing from now on.
    /// - Throws: ``BluetoothError``; `refusedByPeer` when the client's host says no, `unsupported` when the
    ///   platform cannot ask.
    func updateParameters(_ range: ConnectionParameterRange, on link: LinkID) async throws(BluetoothError)
        -> ConnectionParameters

    /// Changes what is advertised.
    ///
    /// - Parameter advertisement: What to advertise.
    /// - Throws: ``BluetoothError`` when the radio refuses.
    func advertise(_ advertisement: DeviceAdvertisement) async throws(BluetoothError)

    /// Offers a service more; clients that are connected are told, if they want to know.
    ///
    /// - Parameter service: The service.
    /// - Returns: Its handles.
    /// - Throws: ``BluetoothError``; `invalidArgument` when its handles are taken or there is no room.
    func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange

    /// Offers a service no more; clients that are connected are told, if they want to know.
    ///
    /// Their subscriptions to its values end without another event. A read or write of it that waits for
    /// ``answer(_:on:)`` still needs one.
    ///
    /// - Parameter handle: The handle of its declaration.
    /// - Throws: ``BluetoothError``; `invalidArgument` when there is none, or another service includes it.
    func removeService(at handle: AttributeHandle) async throws(BluetoothError)

    /// Closes a client's link.
    ///
    /// - Parameter link: Whose.
    func disconnect(_ link: LinkID) async

    /// Stops advertising and closes the clients' links.
    func stop() async
}

extension Server {
    /// Says that the platform cannot do this.
    public func add(_ service: GATT.ServiceDefinition) async throws(BluetoothError) -> ATT.HandleRange {
        throw .request(.unsupported)
    }

    /// Says that the platform cannot do this.
    public func removeService(at handle: AttributeHandle) async throws(BluetoothError) {
        throw .request(.unsupported)
    }

    /// Does nothing: the platform does not let a peripheral close links.
    public func disconnect(_ link: LinkID) async {}
}

/// What a client of our server does.
public enum ServerEvent: Sendable {
    /// A client has opened a link.
    case connected(LinkID, BluetoothAddress)
    /// A link is gone.
    case disconnected(LinkID, LinkFailure)
    /// The MTU of a link is agreed, in octets.
    case mtuChanged(LinkID, Int)
    /// A client has switched the values of a characteristic.
    case subscribed(LinkID, AttributeHandle, GATT.Subscription)
    /// A client reads a delegated value; answer it.
    case read(LinkID, AttributeHandle)
    /// A client writes a delegated value; answer it if `answered` is true.
    case write(LinkID, AttributeHandle, [UInt8], answered: Bool)
    /// A client has written a stored value.
    case stored(LinkID, AttributeHandle, [UInt8])
    /// A client has confirmed an indication.
    case confirmed(LinkID, AttributeHandle)
}
