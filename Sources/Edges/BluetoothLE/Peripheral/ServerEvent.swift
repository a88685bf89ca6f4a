// SPDX-License-Identifier: Apache-2.0

/// What a client of our server does, or what happens to the server.
public enum ServerEvent: Sendable {
    /// A client has opened a link, or one to which this side has opened a link uses our server for the first time.
    case connected(Server.Client)
    /// A client's link is gone, and with it its subscriptions.
    case disconnected(Server.Client, reason: LinkError)
    /// The MTU of a client's link is agreed, in octets.
    case mtuChanged(Server.Client, mtu: Int)
    /// A client wants the values of a characteristic, in this way from now on.
    case subscribed(Server.Client, to: AttributeHandle, GATT.Subscription)
    /// A client wants the values of a characteristic no more.
    case unsubscribed(Server.Client, from: AttributeHandle)
    /// A client reads a delegated value: respond to it.
    case readRequest(ReadRequest)
    /// A client writes a delegated value: respond to it if it expects that.
    case writeRequest(WriteRequest)
    /// A client has written a stored value.
    case valueWritten([UInt8], to: AttributeHandle, by: Server.Client)
    /// A client has confirmed an indication.
    case indicationConfirmed(of: AttributeHandle, by: Server.Client)
    /// A client's link is encrypted now, or protected better than before.
    case secured(Server.Client, LinkSecurity)
    /// A client has not paired, or its link could not be encrypted.
    case pairingFailed(Server.Client, SMP.Failure)
    /// Advertising has ended though it is wanted; it is tried again.
    case advertisingStopped(BluetoothError)
    /// Advertising goes on again.
    case advertisingResumed
}

/// A client's request to read a delegated value; see ``Server/respond(to:with:)``.
public struct ReadRequest: Hashable, Sendable {
    /// Who reads.
    public let client: Server.Client
    /// What the value is: the UUID of its characteristic, or of a descriptor.
    public let uuid: BluetoothUUID
    /// Which value.
    public let handle: AttributeHandle
    /// From which octet on the client wants the value; the response is the whole value all the same.
    package let offset: Int
    /// Tells it from the client's other requests.
    package let number: UInt64

    package init(
        client: Server.Client, uuid: BluetoothUUID, handle: AttributeHandle, offset: Int = 0, number: UInt64
    ) {
        self.client = client
        self.uuid = uuid
        self.handle = handle
        self.offset = offset
        self.number = number
    }
}

/// A client's request to write a delegated value; see ``Server/respond(to:)``.
public struct WriteRequest: Hashable, Sendable {
    /// Who writes.
    public let client: Server.Client
    /// What the value is: the UUID of its characteristic, or of a descriptor.
    public let uuid: BluetoothUUID
    /// Which value.
    public let handle: AttributeHandle
    /// The whole new value.
    public let value: [UInt8]
    /// Whether the client waits for a response.
    public let expectsResponse: Bool
    /// What the client writes together with it, and gives after it; each comes as a request of its own, too.
    package let following: [GATT.ValueWrite]
    /// Tells it from the client's other requests.
    package let number: UInt64

    package init(
        client: Server.Client, uuid: BluetoothUUID, handle: AttributeHandle, value: [UInt8],
        expectsResponse: Bool, following: [GATT.ValueWrite] = [], number: UInt64
    ) {
        self.client = client
        self.uuid = uuid
        self.handle = handle
        self.value = value
        self.expectsResponse = expectsResponse
        self.following = following
        self.number = number
    }
}
