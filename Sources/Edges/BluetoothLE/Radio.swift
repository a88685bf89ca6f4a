// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire

/// A Bluetooth LE radio: the central and the peripheral role, the same over every backend.
///
/// Backends (`BLEHostDriver` for our own host stack) conform to it. All methods may be called from any task;
/// cancelling the calling task gives up what was asked for.
public protocol Radio: Sendable {
    /// Whether the radio can be used, now and whenever that changes; ends when the radio is closed.
    func states() async -> AsyncStream<RadioState>

    /// Listens for advertisers until the stream is dropped or its task is cancelled.
    ///
    /// - Parameter options: How to listen.
    /// - Returns: What is heard. Up to 512 advertisements wait; then the oldest are dropped and counted.
    /// - Throws: ``BluetoothError`` when the radio cannot listen.
    func scan(_ options: ScanOptions) async throws(BluetoothError) -> ScanStream

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - address: To whom.
    ///   - options: How.
    /// - Returns: The link.
    /// - Throws: ``BluetoothError`` when it could not be opened.
    func connect(to address: BluetoothAddress, _ options: ConnectOptions) async throws(BluetoothError)
        -> any Connection

    /// Opens a link to whichever of several peers is heard first.
    ///
    /// - Parameters:
    ///   - addresses: To whom; how many there may be is the radio's to say.
    ///   - options: How.
    /// - Returns: The link.
    /// - Throws: ``BluetoothError`` when none could be opened; `unsupported` when the platform cannot do that.
    func connect(toFirstOf addresses: [BluetoothAddress], _ options: ConnectOptions)
        async throws(BluetoothError) -> any Connection

    /// Offers services and advertises; one server at a time.
    ///
    /// - Parameter server: What to offer and to advertise.
    /// - Returns: The running server.
    /// - Throws: ``BluetoothError`` when the radio refuses or a server runs already.
    func serve(_ server: ServerDescription) async throws(BluetoothError) -> any Server

    /// Lets peers open L2CAP channels, on all links; to be reached, advertise with ``serve(_:)``.
    ///
    /// - Parameters:
    ///   - psm: What the channels are for, 0x0001 to 0x00FF; `nil` chooses a free one from 0x0080 on.
    ///   - options: What this side takes on them.
    /// - Returns: The listener, whose channels should be taken out.
    /// - Throws: ``BluetoothError`` when somebody listens there already or the radio has no channels.
    func listen(psm: UInt16?, _ options: ChannelOptions) async throws(BluetoothError) -> any ChannelListener

    /// Closes every link and lets the radio go.
    func close() async
}

/// How to listen for advertisers.
public struct ScanOptions: Hashable, Sendable {
    /// Whether scan responses are asked for.
    public var isActive: Bool
    /// Which devices are wanted; none: all.
    ///
    /// Where it can, the radio itself leaves the others out.
    public var addresses: [BluetoothAddress]
    /// Whether LE Coded is listened to, for devices that are far away, if the radio has it.
    public var includesCoded: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - isActive: Whether scan responses are asked for.
    ///   - addresses: Which devices are wanted; none: all.
    ///   - includesCoded: Whether LE Coded is listened to.
    public init(isActive: Bool = true, addresses: [BluetoothAddress] = [], includesCoded: Bool = false) {
        self.isActive = isActive
        self.addresses = addresses
        self.includesCoded = includesCoded
    }
}

/// How to open a link.
public struct ConnectOptions: Hashable, Sendable {
    /// How long to try.
    public var timeout: Duration
    /// Whether LE Coded is tried, for devices that are far away, if the radio has it.
    public var includesCoded: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - timeout: How long to try.
    ///   - includesCoded: Whether LE Coded is tried.
    public init(timeout: Duration = .seconds(10), includesCoded: Bool = false) {
        self.timeout = timeout
        self.includesCoded = includesCoded
    }
}

/// One advertisement or scan response as it was heard.
public struct Advertisement: Hashable, Sendable {
    /// Who sent it.
    public var address: BluetoothAddress
    /// How strong it was, in dBm; `nil` when the radio could not tell.
    public var rssi: Int8?
    /// Whether links are accepted; `nil` in a scan response, which does not say.
    public var isConnectable: Bool?
    /// Whether it is a scan response.
    public var isScanResponse: Bool
    /// The AD structures, as octets; up to 1650 with extended advertising.
    public var data: [UInt8]
    /// Whether the end of `data` is missing, because the radio did not get it.
    public var isTruncated = false
    /// Whether it came by extended advertising, which older devices do not hear.
    public var isExtended = false
    /// The power that it was sent with, in dBm; `nil` when the radio was not told.
    public var txPower: Int8?

    /// Makes an advertisement.
    ///
    /// - Parameters:
    ///   - address: Who sent it.
    ///   - rssi: How strong it was, in dBm.
    ///   - isConnectable: Whether links are accepted.
    ///   - isScanResponse: Whether it is a scan response.
    ///   - data: The AD structures.
    public init(
        address: BluetoothAddress, rssi: Int8?, isConnectable: Bool?, isScanResponse: Bool, data: [UInt8]
    ) {
        self.address = address
        self.rssi = rssi
        self.isConnectable = isConnectable
        self.isScanResponse = isScanResponse
        self.data = data
    }
}

/// A link to a peripheral.
///
/// Every request is completed exactly once, with ``BluetoothError`` when the link is lost before.
public protocol Connection: Sendable, AnyObject {
    /// Whom the link goes to.
    var address: BluetoothAddress { get }

    /// The MTU, in octets; 23 until it was agreed.
    var mtu: Int { get async }

    /// The link's timing; `nil` when the platform does not tell or the link is gone.
    var parameters: ConnectionParameters? { get async }

    /// How strong the peer is received.
    ///
    /// - Returns: The strength in dBm.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot tell.
    func rssi() async throws(BluetoothError) -> Int8

    /// How the link is modulated.
    ///
    /// - Returns: The modulation each way.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot tell.
    func phy() async throws(BluetoothError) -> LinkPHY

    /// Asks for another modulation.
    ///
    /// - Parameters:
    ///   - tx: How this side may send; nothing leaves it to the radios.
    ///   - rx: How the peer may send; nothing leaves it to the radios.
    /// - Returns: What the radios have agreed upon, which may be what was.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot do that.
    func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY

    /// Changes the link's timing.
    ///
    /// - Parameter range: What is wanted.
    /// - Returns: The timing from now on.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot do that.
    func updateParameters(_ range: ConnectionParameterRange) async throws(BluetoothError)
        -> ConnectionParameters

    /// Which controller the peer has.
    ///
    /// - Returns: Its version and maker.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot tell.
    func peerVersion() async throws(BluetoothError) -> PeerVersion

    /// What changes about the link from now on; ends with the link.
    func changes() async -> LinkChangeStream

    /// Finds all services, includes, characteristics and descriptors.
    ///
    /// What the radio remembers of an earlier connection is used when the peer says that it still holds. A peer
    /// that can tell of changes is asked to (``serviceChanges()``).
    ///
    /// - Returns: The services in handle order.
    /// - Throws: ``BluetoothError``.
    func discover() async throws(BluetoothError) -> [GATT.Service]

    /// Reads a value, the whole of it.
    ///
    /// - Parameter handle: The value's or descriptor's handle.
    /// - Returns: The value, at most 512 octets.
    /// - Throws: ``BluetoothError``.
    func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8]

    /// Finds the primary services of one kind, without what is in them.
    ///
    /// - Parameter uuid: What the services are.
    /// - Returns: The services in handle order.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot ask for that.
    func services(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.Service]

    /// Reads all values of one kind, each as far as one response holds it: at most 253 octets.
    ///
    /// - Parameter uuid: What the values are.
    /// - Returns: The values in handle order.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot ask for that.
    func readAll(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.AttributeValue]

    /// Reads several values with one request.
    ///
    /// - Parameter handles: At least two handles, at most (MTU - 1) / 2.
    /// - Returns: The values in the order of the handles; where the response is full a value may be cut, and
    ///   those after it be missing.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot ask for that.
    func readMultiple(_ handles: [AttributeHandle]) async throws(BluetoothError) -> [GATT.AttributeValue]

    /// Writes several values together, each held against the peer's echo before any is written.
    ///
    /// - Parameter writes: At least one value of at most 512 octets, with its handle.
    /// - Throws: ``BluetoothError``; `unsupported` when the platform cannot do that.
    func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError)

    /// Writes a value and waits for the answer; one longer than MTU - 3 octets goes in parts.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - handle: Its handle.
    /// - Throws: ``BluetoothError``.
    func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError)

    /// Writes a value with no answer; waits for room, not for the peer.
    ///
    /// - Parameters:
    ///   - value: The value, at most MTU - 3 octets.
    ///   - handle: Its handle.
    /// - Throws: ``BluetoothError``.
    func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError)

    /// Everything the peer sends by itself, of all characteristics, in the order in which it came.
    ///
    /// No value is ever dropped: when 1024 wait, the radio is not read any more until some were taken out,
    /// unless somebody awaits an answer, which only reading can bring; when 65536 wait the link is closed.
    /// One consumer at a time: values go to the stream that was asked for last, so ask before subscribing.
    /// The stream ends with the link.
    func values() async -> ValueStream

    /// The handles whose services are not what they were, each time the peer says so; then ``discover()`` again.
    ///
    /// Requests that wait and name such handles have failed with Database Out Of Sync. One consumer at a time, and up
    /// to 16 changes wait; of more the oldest are dropped. The stream ends with the link.
    func serviceChanges() async -> AsyncStream<ATT.HandleRange>

    /// Switches notifications or indications.
    ///
    /// - Parameters:
    ///   - subscription: What is wanted; nothing switches off.
    ///   - characteristic: Of which characteristic.
    /// - Throws: ``BluetoothError``; `unsupported` when it has no client characteristic configuration.
    func subscribe(_ subscription: GATT.Subscription, to characteristic: GATT.Characteristic)
        async throws(BluetoothError)

    /// Opens an L2CAP channel.
    ///
    /// - Parameters:
    ///   - psm: What the channel is for, 0x0001 to 0x00FF: the device's maker says which.
    ///   - options: What this side takes on it.
    /// - Returns: The open channel.
    /// - Throws: ``BluetoothError``; ``BluetoothError/channel(_:)`` when the peer refuses.
    func openChannel(psm: UInt16, _ options: ChannelOptions) async throws(BluetoothError) -> any Channel

    /// Closes the link and waits until it is gone.
    func disconnect() async

    /// Waits until the link is gone.
    ///
    /// - Returns: Why.
    func disconnected() async -> LinkFailure
}

extension Connection {
    /// Says that the platform cannot do this.
    public func services(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.Service] {
        throw .request(.unsupported)
    }

    /// Says that the platform cannot do this.
    public func readAll(_ uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.AttributeValue] {
        throw .request(.unsupported)
    }

    /// Says that the platform cannot do this.
    public func readMultiple(
        _ handles: [AttributeHandle]
    ) async throws(BluetoothError) -> [GATT.AttributeValue] { throw .request(.unsupported) }

    /// Says that the platform cannot do this.
    public func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError) {
        throw .request(.unsupported)
    }

    /// A stream that tells nothing, because the platform does not.
    public func serviceChanges() async -> AsyncStream<ATT.HandleRange> { AsyncStream { $0.finish() } }

    /// Switches notifications or indications by the descriptor that does so.
    public func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) async throws(BluetoothError) {
        guard let handle = characteristic.clientConfigurationHandle else {
            throw .request(.unsupported)
        }
        let value = [UInt8(subscription.rawValue & 0xFF), UInt8(subscription.rawValue >> 8)]
        try await write(value, to: handle)
    }
}

/// A value that a peer has sent by itself.
public struct ReceivedValue: Hashable, Sendable {
    /// The handle of the value.
    public var handle: AttributeHandle
    /// The value.
    public var value: [UInt8]
    /// How it was sent.
    public var kind: GATT.ValueKind

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - handle: The handle of the value.
    ///   - value: The value.
    ///   - kind: How it was sent.
    public init(handle: AttributeHandle, value: [UInt8], kind: GATT.ValueKind) {
        self.handle = handle
        self.value = value
        self.kind = kind
    }
}
