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
        scans[id] = source
        stack.startScanning(ScanParameters(isActive: options.isActive), at: clock.now)
        drain()
        return ScanStream(source)
    }

    private func endScan(_ id: Int) {
        guard scans.removeValue(forKey: id) != nil, scans.isEmpty else { return }
        stack.stopScanning(at: clock.now)
        drain()
    }

    /// Opens a link.
    public func connect(to address: BluetoothAddress, _ options: ConnectOptions) async throws(BluetoothError)
        -> any Connection
    {
        guard stack.isReady else { throw .radioUnavailable("it is off") }
        guard connecting[address] == nil else {
            throw .invalidArgument("A link to \(address) is being opened already.")
        }
        let milliseconds = UInt64(max(1, options.timeout / .milliseconds(1)))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                connecting[address] = waiter
                stack.connect(
                    to: address, ConnectParameters(timeoutMilliseconds: milliseconds), at: clock.now)
                drain()
            }
        } onCancel: {
            Task { await self.cancelConnect(address) }
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

    private func cancelConnect(_ address: BluetoothAddress) {
        stack.cancelConnect(to: address, at: clock.now)
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
