// SPDX-License-Identifier: Apache-2.0

extension Connection {
    /// Finds all services, includes, characteristics and descriptors.
    ///
    /// What the radio remembers of an earlier connection is used when the peer says that it still holds. A peer
    /// that can tell of changes is asked to (``serviceChanges()``).
    ///
    /// - Returns: The services in handle order.
    /// - Throws: ``BluetoothError``.
    public func discoverServices() async throws(BluetoothError) -> [GATT.Service] {
        let count = backend.state.serviceChangeCount
        let services = try await backend.discoverServices()
        backend.state.remember(services, since: count)
        return services
    }

    /// Finds what ``discoverServices()`` finds, and what was wrong with the device's answers.
    ///
    /// What a device says wrongly is noted and left out. When it stops answering, or the link ends, what was found until
    /// then is given, if that is anything; the last fault says so.
    ///
    /// - Returns: The services in handle order, and the faults.
    /// - Throws: ``BluetoothError``.
    public func findServices() async throws(BluetoothError) -> GATT.FoundServices {
        try await backend.findServices()
    }

    /// Finds the primary services of one kind, without what is in them.
    ///
    /// - Parameter uuid: What the services are.
    /// - Returns: The services in handle order.
    /// - Throws: ``BluetoothError``.
    public func primaryServices(of uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.Service] {
        try await backend.primaryServices(of: uuid)
    }

    /// Asks of what type the attribute with a handle is; the services need not have been found.
    ///
    /// - Parameter handle: The handle.
    /// - Returns: The type: of a characteristic's value what it is.
    /// - Throws: ``BluetoothError/refused(_:)`` when there is none, ``BluetoothError/unsupported(_:)`` when this radio cannot
    ///   ask.
    public func attributeType(at handle: AttributeHandle) async throws(BluetoothError) -> BluetoothUUID {
        try await backend.attributeType(at: handle)
    }

    /// The handles whose services are not what they were, each time the peer says so; then ``discoverServices()`` again.
    ///
    /// Requests that wait and name such handles have failed with ``BluetoothError/servicesChanged``, and so have streams
    /// of such characteristics. Each call gives a stream of its own; it ends with the link.
    public func serviceChanges() -> ServiceChangeStream { backend.state.serviceChanges() }

    /// Reads a value, the whole of it.
    ///
    /// When the device refuses to go on with a long value, what came before is given: most often the value has ended there.
    /// ``readAsFarAsPossible(_:)`` tells that apart.
    ///
    /// - Parameter handle: The value's or descriptor's handle.
    /// - Returns: The value, at most 512 octets.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses.
    public func read(_ handle: AttributeHandle) async throws(BluetoothError) -> [UInt8] {
        try await backend.read(handle)
    }

    /// Reads a value, or as much of it as there is to be had.
    ///
    /// When the device refuses to go on with a long value, stops answering, or the link ends meanwhile, what came before is
    /// given with the reason.
    ///
    /// - Parameter handle: The value's or descriptor's handle.
    /// - Returns: The value or its first part.
    /// - Throws: ``BluetoothError`` when nothing was read; ``BluetoothError/refused(_:)`` when the device refuses.
    public func readAsFarAsPossible(_ handle: AttributeHandle) async throws(BluetoothError) -> ReadValue {
        try await backend.readAsFarAsPossible(handle)
    }

    /// Reads the value of a characteristic, the whole of it.
    ///
    /// - Parameter characteristic: The characteristic.
    /// - Returns: The value, at most 512 octets.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses.
    public func read(_ characteristic: GATT.Characteristic) async throws(BluetoothError) -> [UInt8] {
        try await backend.read(characteristic.valueHandle)
    }

    /// Reads a descriptor, the whole of it.
    ///
    /// - Parameter descriptor: The descriptor.
    /// - Returns: What it says, at most 512 octets.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses.
    public func read(_ descriptor: GATT.Descriptor) async throws(BluetoothError) -> [UInt8] {
        try await backend.read(descriptor.handle)
    }

    /// Reads all values of one kind, each as far as one response holds it: at most 253 octets.
    ///
    /// - Parameter uuid: What the values are.
    /// - Returns: The values in handle order.
    /// - Throws: ``BluetoothError``.
    public func readValues(of uuid: BluetoothUUID) async throws(BluetoothError) -> [GATT.AttributeValue] {
        try await backend.readValues(of: uuid)
    }

    /// Reads several values with one request, where the device can do that.
    ///
    /// - Parameter handles: At least two handles, at most (MTU - 1) / 2.
    /// - Returns: The values in the order of the handles; where the response is full a value may be cut, and
    ///   those after it be missing.
    /// - Throws: ``BluetoothError``.
    public func readValues(at handles: [AttributeHandle]) async throws(BluetoothError) -> [GATT
        .AttributeValue]
    {
        try await backend.readValues(at: handles)
    }

    /// Writes a value and waits for the answer; one longer than MTU - 3 octets goes in parts.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - handle: The value's or descriptor's handle.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses.
    public func write(_ value: [UInt8], to handle: AttributeHandle) async throws(BluetoothError) {
        guard value.count <= ATT.maximumValueLength else {
            throw .tooLong(octets: value.count, limit: ATT.maximumValueLength)
        }
        try await backend.write(value, to: handle)
    }

    /// Writes the value of a characteristic and waits for the answer; one longer than MTU - 3 octets goes in parts.
    ///
    /// - Parameters:
    ///   - value: The value, at most 512 octets.
    ///   - characteristic: The characteristic.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses.
    public func write(_ value: [UInt8], to characteristic: GATT.Characteristic) async throws(BluetoothError) {
        try await write(value, to: characteristic.valueHandle)
    }

    /// Writes a descriptor and waits for the answer.
    ///
    /// - Parameters:
    ///   - value: What it shall say, at most 512 octets.
    ///   - descriptor: The descriptor.
    /// - Throws: ``BluetoothError/refused(_:)`` when the device refuses.
    public func write(_ value: [UInt8], to descriptor: GATT.Descriptor) async throws(BluetoothError) {
        try await write(value, to: descriptor.handle)
    }

    /// Writes a value with no answer; waits for room, not for the peer.
    ///
    /// Values of one task go out in order, and any number of tasks may write at once.
    ///
    /// - Parameters:
    ///   - value: The value, at most MTU - 3 octets.
    ///   - handle: Its handle.
    /// - Throws: ``BluetoothError/tooLong(octets:limit:)``, ``BluetoothError/disconnected(_:)``.
    public func writeWithoutResponse(_ value: [UInt8], to handle: AttributeHandle)
        async throws(BluetoothError)
    {
        try await backend.writeWithoutResponse(value, to: handle)
    }

    /// Writes the value of a characteristic with no answer; waits for room, not for the peer.
    ///
    /// - Parameters:
    ///   - value: The value, at most MTU - 3 octets.
    ///   - characteristic: The characteristic.
    /// - Throws: ``BluetoothError/tooLong(octets:limit:)``, ``BluetoothError/disconnected(_:)``.
    public func writeWithoutResponse(
        _ value: [UInt8], to characteristic: GATT.Characteristic
    ) async throws(BluetoothError) {
        try await backend.writeWithoutResponse(value, to: characteristic.valueHandle)
    }

    /// Writes several values together, each held against the peer's echo before any is written.
    ///
    /// - Parameter writes: At least one value of at most 512 octets, with its handle.
    /// - Throws: ``BluetoothError``.
    public func writeReliably(_ writes: [GATT.ValueWrite]) async throws(BluetoothError) {
        try await backend.writeReliably(writes)
    }

    /// Everything the peer sends by itself, of all characteristics, in the order in which it came.
    ///
    /// Subscribes to nothing. Each call gives a stream of its own that gets every value from then on; it throws when the
    /// link is lost.
    public func allValues() -> ValueStream { backend.state.allValues() }

    /// Switches notifications or indications by hand; ``notifications(of:for:)-(GATT.Characteristic,_)`` does so by itself.
    ///
    /// - Parameters:
    ///   - subscription: What is wanted; nothing switches off, unless a stream of ``notifications(of:for:)-(GATT.Characteristic,_)`` needs it.
    ///   - characteristic: Of which characteristic.
    /// - Throws: ``BluetoothError/notOffered(_:)`` when the characteristic sends nothing by itself.
    public func subscribe(
        _ subscription: GATT.Subscription, to characteristic: GATT.Characteristic
    ) async throws(BluetoothError) {
        try await backend.state.subscriptions.want(
            subscription, of: characteristic, for: Subscriptions.byHand, on: backend)
    }
}
