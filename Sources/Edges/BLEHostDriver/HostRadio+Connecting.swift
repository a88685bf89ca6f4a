// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEHCI
import BLEHost
import BLEWire
import BluetoothLE

/// Somebody who waits for a link.
struct ConnectAttempt {
    enum Phase {
        /// The controller is at it.
        case connecting
        /// The link is open; its MTU is being agreed.
        case settling(LinkID)
    }

    let number: Int
    /// The first is what the stack calls it.
    let addresses: [BluetoothAddress]
    let parameters: ConnectParameters
    /// Until when a link is tried for.
    let end: HostInstant
    var phase = Phase.connecting
    /// When the device is not waited for any longer that was asked for its MTU.
    var answerLimit: HostInstant?
    /// Whether its link is being closed because it has not answered.
    var isUnanswered = false
}

extension HostRadio {
    /// How long a device may take to say its MTU, in seconds.
    ///
    /// Many who open a link wait for 10 s: a second link is there by then.
    static var answerPatience: UInt64 { 5 }

    package nonisolated func connect(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) async throws(BluetoothError) -> any ConnectionBackend {
        let connection = try await connection(toFirstOf: peers, options)
        await refreshBonds()
        // A device that has forgotten its keys can still be read; what it protects says why it cannot.
        if await isBonded(connection) { _ = try? await encrypt(connection) }
        if Task.isCancelled {
            await connection.disconnect()
            throw .cancelled
        }
        return connection
    }

    /// Opens a link whose MTU is settled; a device that says nothing to that gets a second link, and is not asked.
    private nonisolated func connection(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) async throws(BluetoothError) -> HostConnection {
        do throws(BluetoothError) {
            return try await attempt(toFirstOf: peers, options)
        } catch {
            // Nothing else is asked for before the MTU is settled.
            guard case .connectFailed(.protocolFailure) = error, options.exchangesMTU else { throw error }
        }
        var without = options
        without.exchangesMTU = false
        let connection = try await attempt(toFirstOf: peers, without)
        var wakeUps = StreamWakeUps()
        connection.state.apply(.mtuUnanswered, &wakeUps)
        wakeUps.wake()
        return connection
    }

    private nonisolated func attempt(
        toFirstOf peers: [Peer], _ options: ConnectOptions
    ) async throws(BluetoothError) -> HostConnection {
        let arrived = try await wait { radio in
            do throws(BluetoothError) {
                return .waiting(.connect(try radio.beginConnecting(peers, options)))
            } catch {
                return .over(.failure(error))
            }
        }
        guard case .connection(let connection) = arrived else { throw .badResponse }
        return connection
    }

    /// Begins an attempt.
    ///
    /// - Returns: Its number.
    private func beginConnecting(_ peers: [Peer], _ options: ConnectOptions) throws(BluetoothError) -> Int {
        try checkIsReady()
        let addresses = peers.compactMap(\.address)
        guard addresses.count == peers.count else {
            throw .invalidArgument("This radio knows devices by their address.")
        }
        let limit = max(1, stack.controller.filterAcceptListSize)
        guard addresses.count <= limit else {
            throw .invalidArgument("This radio can wait for up to \(limit) different devices at once.")
        }
        let linked = links.values.filter { $0.role == .central }.map(\.connection.peer)
        guard connecting.allSatisfy({ Set($0.addresses).isDisjoint(with: addresses) }),
            !Set(peers).isSubset(of: linked)
        else { throw .alreadyConnected }
        let milliseconds = options.timeout.map { min(max(1, $0 / .milliseconds(1)), 1e15) } ?? 1e15
        var parameters = ConnectParameters(
            timeoutMilliseconds: UInt64(milliseconds), phys: HCI.PHYs(options.phys) ?? .le1M,
            exchangesMTU: options.exchangesMTU)
        if options.isFast {
            // 7.5 ms, the shortest that there is.
            parameters.intervalMin = ConnectionInterval(rawValue: 6)
            parameters.intervalMax = ConnectionInterval(rawValue: 6)
        }
        lastNumber += 1
        let end = loop.now.advanced(byMilliseconds: parameters.timeoutMilliseconds)
        connecting.append(
            ConnectAttempt(number: lastNumber, addresses: addresses, parameters: parameters, end: end))
        stack.connect(toFirstOf: addresses, parameters, at: loop.now)
        return lastNumber
    }

    /// Gives an attempt up whose task was cancelled; it ends when the stack says so.
    func giveUpConnecting(_ number: Int) {
        guard let index = connecting.firstIndex(where: { $0.number == number }) else { return }
        switch connecting[index].phase {
        case .connecting: stack.cancelConnect(to: connecting[index].addresses[0], at: loop.now)
        case .settling(let link):
            connecting.remove(at: index)
            stack.disconnect(link, at: loop.now)
            waiters.resume(.connect(number), .failure(.cancelled))
        }
    }

    /// A link to a peripheral is open.
    func opened(_ link: LinkID, _ address: BluetoothAddress) {
        guard let index = connecting.firstIndex(where: { $0.isFor(address) }) else {
            // Whoever asked for the link has given up meanwhile.
            stack.disconnect(link, at: loop.now)
            return
        }
        connecting[index].phase = .settling(link)
        connecting[index].answerLimit = loop.now.advanced(bySeconds: Self.answerPatience)
    }

    /// Closes the links of devices that were asked for their MTU and have said nothing.
    func giveUpUnanswered(at now: HostInstant) {
        for index in connecting.indices {
            guard let limit = connecting[index].answerLimit, limit <= now,
                case .settling(let link) = connecting[index].phase
            else { continue }
            connecting[index].answerLimit = nil
            connecting[index].isUnanswered = true
            stack.disconnect(link, at: now)
        }
    }

    /// No link could be opened.
    func connectFailed(_ address: BluetoothAddress, _ failure: LinkError) {
        guard let index = connecting.firstIndex(where: { $0.isFor(address) && $0.addresses[0] == address })
        else {
            return
        }
        // Before its time it was heard, and not asked so that it could hear.
        if failure == .connectTimeout, connectAgain(index) { return }
        let number = connecting.remove(at: index).number
        let error: BluetoothError =
            switch failure {
            case .closedByUs: .cancelled
            case .controller(HCI.Status.connectionAlreadyExists.rawValue): .alreadyConnected
            default: .connectFailed(failure)
            }
        waiters.resume(.connect(number), .failure(error))
    }

    /// The MTU of a link is agreed, or will not be.
    func settled(_ link: LinkID, _ outcome: Result<HostConnection, LinkError>) {
        let index = connecting.firstIndex {
            if case .settling(link) = $0.phase { true } else { false }
        }
        guard let index else { return }
        // An answer that comes while its link is being closed is too late.
        if case .success = outcome, connecting[index].isUnanswered { return }
        var outcome = outcome
        // The first packet, in which the device is asked, is lost as often as any other.
        if case .failure(.controller(HCI.Status.connectionFailedToBeEstablished.rawValue)) = outcome {
            if connectAgain(index) { return }
            outcome = .failure(.connectTimeout)
        }
        let attempt = connecting.remove(at: index)
        switch outcome {
        case .success(let connection):
            waiters.resume(.connect(attempt.number), .success(.connection(connection)))
        case .failure(let failure):
            let reason: LinkError = attempt.isUnanswered ? .protocolFailure : failure
            waiters.resume(.connect(attempt.number), .failure(.connectFailed(reason)))
        }
    }

    /// Goes on with an attempt whose device was not reached, as long as there is time.
    ///
    /// - Returns: Whether there is.
    private func connectAgain(_ index: Int) -> Bool {
        let left = connecting[index].end.microseconds(since: loop.now) / 1000
        guard left > 0, !connecting[index].isUnanswered else { return false }
        connecting[index].phase = .connecting
        connecting[index].answerLimit = nil
        var parameters = connecting[index].parameters
        parameters.timeoutMilliseconds = UInt64(left)
        stack.connect(toFirstOf: connecting[index].addresses, parameters, at: loop.now)
        return true
    }

    /// Closes a link; whoever waits for something of it has waited in vain.
    func disconnect(_ link: LinkID) {
        failWaiters(on: link, .closedByUs)
        stack.disconnect(link, at: loop.now)
        drain()
    }
}

extension ConnectAttempt {
    fileprivate func isFor(_ address: BluetoothAddress) -> Bool {
        guard case .connecting = phase else { return false }
        return addresses.contains(address)
    }
}
