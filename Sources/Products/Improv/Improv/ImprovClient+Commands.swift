// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension ImprovClient {
    // MARK: Sending

    mutating func enqueue(_ command: ImprovCommand, at now: HostInstant) {
        if waiting.count < ImprovLimit.commands {
            waiting.append(command)
            startNext(at: now)
        } else {
            fail(command, .tooMany)
        }
        advance(at: now)
    }

    /// Begins what waits, if nothing is under way.
    mutating func startNext(at now: HostInstant) {
        while case .nothing = running, core.state == .connected, let device, !waiting.isEmpty {
            let command = waiting.removeFirst()
            let needed: ImprovCapabilities =
                switch command {
                case .wifiSettings: []
                case .identify: .identify
                case .deviceInfo: .deviceInfo
                case .scan: .scan
                }
            if !device.capabilities.isSuperset(of: needed) {
                fail(command, .unsupported)
            } else if case .wifiSettings = command, device.current == .stopped {
                fail(command, .stopped)
            } else if case .wifiSettings(let settings) = command, device.current == .authorizationRequired {
                running = .authorizing(
                    settings, until: now.advanced(bySeconds: ImprovLimit.authorizationSeconds))
                core.report(.authorizationNeeded)
            } else {
                send(command, at: now)
            }
        }
    }

    private mutating func send(_ command: ImprovCommand, at now: HostInstant) {
        guard let device else { return }
        let seconds: UInt64
        switch command {
        case .wifiSettings: seconds = ImprovLimit.joinSeconds
        case .identify: seconds = Self.graceSeconds
        case .deviceInfo: seconds = ImprovLimit.answerSeconds
        case .scan: seconds = ImprovLimit.scanSeconds
        }
        let until = now.advanced(bySeconds: seconds)
        running =
            command.id == .wifiSettings
            ? .joining(hasBegun: false, until: until) : .awaiting(command.id, until: until)
        var octets = command.encoded()
        let handle = device.command.valueHandle
        let answers = device.command.properties.contains(.write)
        let room = max(ATT.longestValue(atMTU: core.mtu), 1)
        var start = 0
        while start < octets.count {
            let end = min(start + room, octets.count)
            let piece = Array(octets[start..<end])
            core.request(
                .write(isLast: end == octets.count),
                answers ? .write(handle, piece) : .writeWithoutResponse(handle, piece))
            start = end
        }
        ImprovSettings.wipe(&octets)
        if case .wifiSettings(var settings) = command { settings.wipe() }
        core.report(.sent(command.id))
    }

    // MARK: Ending

    /// Ends a command that was never sent.
    mutating func fail(_ command: ImprovCommand, _ failure: ImprovError) {
        if case .wifiSettings(var settings) = command {
            settings.wipe()
            core.report(.provisioned(.failed(failure)))
        } else {
            core.report(.failed(command.id, failure))
        }
    }

    /// Ends what is under way without a result.
    mutating func stop(_ failure: ImprovError, at now: HostInstant) {
        let stopped = running
        running = .nothing
        switch consume stopped {
        case .nothing: return
        case .authorizing(var settings, _):
            settings.wipe()
            core.report(.provisioned(.notAuthorized))
        case .awaiting(let id, _): core.report(.failed(id, failure))
        case .listing: core.report(.failed(.scan, failure))
        case .joining, .joined: core.report(.provisioned(Self.outcome(failure)))
        }
        startNext(at: now)
    }

    private static func outcome(_ failure: ImprovError) -> ImprovOutcome {
        switch failure {
        case .refused(.unableToConnect): .unableToConnect
        case .refused(.notAuthorized): .notAuthorized
        default: .failed(failure)
        }
    }

    private mutating func end(_ event: Event, at now: HostInstant) {
        running = .nothing
        core.report(event)
        startNext(at: now)
    }

    mutating func runningDeadlineReached(at now: HostInstant) {
        switch running {
        case .authorizing(_, let until) where until <= now: stop(.timeout, at: now)
        case .awaiting(.identify, let until) where until <= now: end(.identified, at: now)
        case .awaiting(_, let until) where until <= now: stop(.timeout, at: now)
        case .listing(let networks, let until) where until <= now: end(.networks(networks), at: now)
        case .joining(_, let until) where until <= now: stop(.timeout, at: now)
        case .joined(let until) where until <= now: end(.provisioned(.connected(url: nil)), at: now)
        case .nothing, .authorizing, .awaiting, .listing, .joining, .joined: break
        }
    }

    // MARK: Receiving

    mutating func received(_ value: [UInt8], from handle: AttributeHandle, at now: HostInstant) {
        guard let device else { return }
        if handle == device.result.valueHandle {
            self.device?.pieces.receive(value, at: now)
            while let octets = self.device?.pieces.next() { received(result: octets, at: now) }
        } else if handle == device.state.valueHandle || handle == device.error.valueHandle {
            guard value.count == 1 else { return core.report(.fault(.badOctet(value.count))) }
            if handle == device.state.valueHandle {
                changed(to: ImprovState(rawValue: value[0]), at: now)
            } else if value[0] != 0 {
                refused(ImprovErrorCode(rawValue: value[0]), at: now)
            }
        }
    }

    private mutating func changed(to state: ImprovState, at now: HostInstant) {
        if device?.current != state { core.report(.changed(state)) }
        device?.current = state
        switch (running, state) {
        case (.authorizing(let settings, _), .authorized): send(.wifiSettings(settings), at: now)
        case (.joining(_, let until), .provisioning): running = .joining(hasBegun: true, until: until)
        case (.joining, .provisioned):
            running = .joined(until: now.advanced(bySeconds: ImprovLimit.addressSeconds))
        // It has given up; the error that says why may still come.
        case (.joining(true, let until), .authorized), (.joining(true, let until), .authorizationRequired):
            let soon = now.advanced(bySeconds: ImprovLimit.addressSeconds)
            running = .joining(hasBegun: true, until: min(until, soon))
        default: break
        }
    }

    private mutating func refused(_ code: ImprovErrorCode, at now: HostInstant) {
        core.report(.error(code))
        switch running {
        case .awaiting, .listing, .joining: stop(.refused(code), at: now)
        // It is not about this.
        case .nothing, .authorizing, .joined: break
        }
    }

    /// A result whose rest does not come may have been cut off: the whole of it can be read.
    mutating func checkPieces(at now: HostInstant) {
        do throws(ImprovPacketError) {
            try device?.pieces.deadlineReached(at: now)
        } catch {
            guard let result = device?.result, result.properties.contains(.read) else {
                return core.report(.fault(error))
            }
            core.request(.readResult, .read(result.valueHandle))
        }
    }

    mutating func received(result octets: [UInt8], at now: HostInstant) {
        do throws(ImprovPacketError) {
            let result = try ImprovResult(decoding: octets)
            switch (running, result.command) {
            case (.awaiting(.deviceInfo, _), .deviceInfo):
                end(.info(try ImprovDeviceInfo(result.strings)), at: now)
            case (.awaiting(.scan, _), .scan): try listed(result, [], at: now)
            case (.listing(let networks, _), .scan): try listed(result, networks, at: now)
            case (.joining, .wifiSettings), (.joined, .wifiSettings):
                let url = result.strings.first.flatMap { $0.isEmpty ? nil : $0 }
                end(.provisioned(.connected(url: url)), at: now)
            // Of something that was given up.
            default: break
            }
        } catch {
            core.report(.fault(error))
            // Whether the device is in the network its state says, too.
            if case .awaiting(let id, _) = running, id.rawValue == octets.first {
                stop(.badResult(error), at: now)
            }
        }
    }

    /// Adds networks of a result; one without any is the last.
    private mutating func listed(
        _ result: ImprovResult, _ before: [ImprovNetwork], at now: HostInstant
    ) throws(ImprovPacketError) {
        let room = ImprovLimit.networks - before.count
        let networks = before + (try ImprovNetwork.list(result.strings)).prefix(room)
        if result.strings.isEmpty || networks.count >= ImprovLimit.networks {
            end(.networks(networks), at: now)
        } else {
            running = .listing(networks, until: now.advanced(bySeconds: ImprovLimit.nextResultSeconds))
        }
    }
}
