// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHost
public import BLEWire
public import BluetoothLE

extension HostRadio {
    /// Listens for advertisers until the stream is dropped.
    public func scan(_ options: ScanOptions) throws(BluetoothError) -> ScanStream {
        guard stack.isReady else { throw .radioUnavailable("it is off") }
        lastStream += 1
        let id = lastStream
        let source = ScanStream.Source(
            limit: Self.advertisementLimit, overflow: .dropOldest,
            abandoned: { [weak self] in Task { await self?.endScan(id) } })
        scans[id] = ScanListener(options, source)
        adjustScan()
        return ScanStream(source)
    }

    private func endScan(_ id: Int) {
        guard scans.removeValue(forKey: id) != nil else { return }
        adjustScan()
    }

    /// Scans for all that is wanted, or not at all.
    func adjustScan() {
        let wanted = scans.isEmpty ? nil : scanParameters
        guard wanted != scanning, stack.isReady else { return }
        scanning = wanted
        if let wanted {
            stack.startScanning(wanted, at: clock.now)
        } else {
            stack.stopScanning(at: clock.now)
        }
        drain()
    }

    /// What serves all listeners; the controller filters only if that suits every one of them.
    private var scanParameters: ScanParameters {
        let options = scans.values.map { $0.options }
        var addresses: Set<BluetoothAddress> = []
        if !options.contains(where: { $0.addresses.isEmpty }) {
            addresses = Set(options.flatMap { $0.addresses })
            if addresses.count > stack.controller.filterAcceptListSize { addresses = [] }
        }
        return ScanParameters(
            isActive: options.contains { $0.isActive },
            phys: options.contains { $0.includesCoded } ? [.le1M, .leCoded] : .le1M,
            addresses: addresses.sorted { ($0.value, $0.kind.rawValue) < ($1.value, $1.kind.rawValue) })
    }

    /// Opens a link.
    public func connect(to address: BluetoothAddress, _ options: ConnectOptions) async throws(BluetoothError)
        -> any Connection
    { try await connect(toFirstOf: [address], options) }

    /// Opens a link to whichever of several peers is heard first.
    public func connect(
        toFirstOf addresses: [BluetoothAddress], _ options: ConnectOptions
    ) async throws(BluetoothError) -> any Connection {
        guard stack.isReady else { throw .radioUnavailable("it is off") }
        guard let name = addresses.first else { throw .invalidArgument("There is nobody to connect to.") }
        let limit = max(1, stack.controller.filterAcceptListSize)
        guard Set(addresses).count == addresses.count, addresses.count <= limit else {
            throw .invalidArgument("This radio can wait for up to \(limit) different devices at once.")
        }
        if let other = connecting.first(where: { !addresses.allSatisfy($0.excludes) }) {
            throw .invalidArgument("A link to \(other.name) is being opened already.")
        }
        let parameters = ConnectParameters(
            timeoutMilliseconds: UInt64(max(1, options.timeout / .milliseconds(1))),
            phys: options.includesCoded ? [.le1M, .le2M, .leCoded] : [.le1M, .le2M])
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                connecting.append(Attempt(name: name, addresses: addresses, waiter: waiter))
                stack.connect(toFirstOf: addresses, parameters, at: clock.now)
                drain()
            }
        } onCancel: {
            Task { await self.cancelConnect(name) }
        }
        if Task.isCancelled {
            if case .success(let connection) = result { await connection.disconnect() }
            throw .cancelled
        }
        switch result {
        case .success(let connection): return connection
        case .failure(let failure): throw .link(failure)
        }
    }

    private func cancelConnect(_ name: BluetoothAddress) {
        stack.cancelConnect(to: name, at: clock.now)
        drain()
    }

    func mtu(of link: LinkID) -> Int { stack.mtu(of: link) ?? 23 }

    /// Runs an operation to its end.
    func perform(_ operation: GATT.Operation, on link: LinkID) async throws(BluetoothError) -> GATT.Answer {
        guard !Task.isCancelled else { throw .cancelled }
        // An operation that is on its way cannot be taken back; it ends by its own timeout.
        let result: Result<GATT.Answer, RequestFailure> = await withCheckedContinuation { waiter in
            guard let id = stack.perform(operation, on: link, at: clock.now) else {
                waiter.resume(returning: .failure(.disconnected))
                return
            }
            operations[OperationKey(link: link, id: id)] = waiter
            drain()
            openGate()
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let failure): throw .request(failure)
        }
    }

    /// Waits until a link takes another value or command.
    func room(on link: LinkID) async {
        while !stack.hasRoom(link) {
            await withCheckedContinuation { roomWaiters[link, default: []].append($0) }
        }
    }

    func disconnect(_ link: LinkID) {
        stack.disconnect(link, at: clock.now)
        drain()
    }
}

extension HostRadio {
    /// Somebody who scans.
    struct ScanListener {
        let options: ScanOptions
        let stream: ScanStream.Source
        private let addresses: Set<BluetoothAddress>

        init(_ options: ScanOptions, _ stream: ScanStream.Source) {
            self.options = options
            self.stream = stream
            addresses = Set(options.addresses)
        }

        func wants(_ address: BluetoothAddress) -> Bool { addresses.isEmpty || addresses.contains(address) }
    }

    /// Somebody who waits for a link; the first address is what the stack calls it.
    struct Attempt {
        let name: BluetoothAddress
        let addresses: [BluetoothAddress]
        let waiter: Waiter<Result<HostConnection, LinkFailure>>

        func excludes(_ address: BluetoothAddress) -> Bool { !addresses.contains(address) }
    }
}
