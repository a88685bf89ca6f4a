// SPDX-License-Identifier: Apache-2.0

/// What a platform must do to be the link behind ``Connection``.
///
/// Requirements that a platform may lack have a default that throws ``BluetoothError/unsupported(_:)``. Requests end
/// with ``BluetoothError/disconnected(_:)`` when the link is lost, and with ``BluetoothError/cancelled`` when their task
/// is cancelled.
package protocol ConnectionBackend: AnyObject, Sendable {
    /// Whom the link goes to.
    nonisolated var peer: Peer { get }
    /// What is known of the link, and who listens to it.
    nonisolated var state: LinkState { get }
    /// Where tasks run with no change of threads.
    nonisolated var executor: (any TaskExecutor)? { get }
    /// The clock by which the radio runs.
    nonisolated var clock: any RadioClock { get }

    /// Closes the link; done when it is gone or the task is cancelled.
    nonisolated func disconnect() async
    nonisolated func discoverServices() async throws(BluetoothError) -> [GATT.Service]
    /// Finds as much as there is to be found, also when the link ends meanwhile.
    nonisolated func findServices() async throws(BluetoothError) -> GATT.FoundServices
    nonisolated func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8]
    /// Reads as much as there is to be had, also when the device refuses to go on or the link ends meanwhile.
    nonisolated func readAsFarAsPossible(_ handle: AttributeHandle) async throws(BluetoothError) -> ReadValue
    nonisolated func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError)
    nonisolated func writeWithoutResponse(
        _ value: [UInt8], to handle: AttributeHandle
    ) async throws(BluetoothError)
    /// Switches notifications and indications as wanted from now on.
    nonisolated func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) async throws(BluetoothError)

    nonisolated var security: LinkSecurity? { get async }
    /// Pairs; done when a bond is kept.
    nonisolated func pair(_ agent: PairingAgent) async throws(BluetoothError) -> LinkSecurity
    nonisolated func encrypt() async throws(BluetoothError) -> LinkSecurity
    nonisolated var parameters: ConnectionParameters? { get async }
    nonisolated func readRSSI() async throws(BluetoothError) -> Int8
    nonisolated func readPHY() async throws(BluetoothError) -> LinkPHY
    nonisolated func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY
    nonisolated func updateParameters(
        _ range: ConnectionParameterRange
    ) async throws(BluetoothError) -> ConnectionParameters
    nonisolated func readPeerVersion() async throws(BluetoothError) -> PeerVersion
    nonisolated func primaryServices(of uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.Service]
    nonisolated func attributeType(at handle: AttributeHandle) async throws(BluetoothError) -> BluetoothUUID
    nonisolated func readValues(of uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.AttributeValue]
    nonisolated func readValues(at handles: [AttributeHandle]) async throws(BluetoothError) -> [GATT
        .AttributeValue]
    nonisolated func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError)
    nonisolated func openChannel(
        psm: UInt16, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelBackend
}

extension ConnectionBackend {
    package nonisolated var executor: (any TaskExecutor)? { nil }

    /// What a platform finds by itself, which does not tell of faults.
    package nonisolated func findServices() async throws(BluetoothError) -> GATT.FoundServices {
        GATT.FoundServices(services: try await discoverServices())
    }

    /// What a platform reads by itself, which gives no first part.
    package nonisolated func readAsFarAsPossible(
        _ handle: AttributeHandle
    ) async throws(BluetoothError) -> ReadValue { ReadValue(try await read(handle)) }

    /// Writes the descriptor that switches them; some devices send without having one.
    package nonisolated func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) async throws(BluetoothError) {
        guard let handle = characteristic.clientConfigurationHandle else {
            guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
                throw .notOffered("this characteristic sends nothing by itself")
            }
            return
        }
        let value = [UInt8(subscription.rawValue & 0xFF), UInt8(subscription.rawValue >> 8)]
        try await write(value, to: handle)
    }

    package nonisolated var security: LinkSecurity? { get async { nil } }
    package nonisolated func pair(_ agent: PairingAgent) async throws(BluetoothError) -> LinkSecurity {
        throw .unsupported(.pairing)
    }
    package nonisolated func encrypt() async throws(BluetoothError) -> LinkSecurity {
        throw .unsupported(.pairing)
    }
    package nonisolated var parameters: ConnectionParameters? { get async { nil } }
    package nonisolated func readRSSI() async throws(BluetoothError) -> Int8 { throw .unsupported(.readRSSI) }
    package nonisolated func readPHY() async throws(BluetoothError) -> LinkPHY { throw .unsupported(.phy) }
    package nonisolated func setPHY(tx: Set<PHY>, rx: Set<PHY>) async throws(BluetoothError) -> LinkPHY {
        throw .unsupported(.phy)
    }
    package nonisolated func updateParameters(
        _ range: ConnectionParameterRange
    ) async throws(BluetoothError) -> ConnectionParameters { throw .unsupported(.connectionParameters) }
    package nonisolated func readPeerVersion() async throws(BluetoothError) -> PeerVersion {
        throw .unsupported(.peerVersion)
    }
    package nonisolated func primaryServices(
        of uuid: BluetoothUUID
    ) async throws(BluetoothError) -> [GATT.Service] { throw .unsupported(.readByType) }
    package nonisolated func attributeType(
        at handle: AttributeHandle
    ) async throws(BluetoothError) -> BluetoothUUID { throw .unsupported(.readByType) }
    package nonisolated func readValues(
        of uuid: BluetoothUUID
    ) async throws(BluetoothError) -> [GATT.AttributeValue] { throw .unsupported(.readByType) }
    package nonisolated func readValues(
        at handles: [AttributeHandle]
    ) async throws(BluetoothError) -> [GATT.AttributeValue] { throw .unsupported(.readMultiple) }
    package nonisolated func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError) {
        throw .unsupported(.reliableWrites)
    }
    package nonisolated func openChannel(
        psm: UInt16, _ options: ChannelOptions
    ) async throws(BluetoothError) -> any ChannelBackend { throw .unsupported(.channels) }
}
