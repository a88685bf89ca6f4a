// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire

extension ImprovDevice where Station: ~Copyable {
    // MARK: Commands

    mutating func receive(command octets: [UInt8], _ index: Int, at now: HostInstant) {
        do throws(ImprovPacketError) {
            try obey(try ImprovCommand(decoding: octets), index, at: now)
        } catch {
            refuse(error, index)
        }
    }

    /// Reports octets that are no command for this device.
    mutating func refuse(_ error: ImprovPacketError, _ index: Int) {
        links[index].pieces.reset()
        report(.fault(links[index].id, error))
        answer(error.code, index)
    }

    private mutating func obey(
        _ command: ImprovCommand, _ index: Int, at now: HostInstant
    ) throws(ImprovPacketError) {
        let link = links[index].id
        switch command {
        case .wifiSettings(let settings): accept(settings, index, at: now)
        case .identify where capabilities.contains(.identify):
            answer(.none, index)
            report(.identify(link))
            station.identify(at: now)
        case .deviceInfo:
            answer(.none, index)
            report(.infoRequested(link))
            send(ImprovResult(.deviceInfo, info.strings), index)
        case .scan where capabilities.contains(.scan):
            answer(.none, index)
            report(.scanRequested(link))
            links[index].awaitsNetworks = true
            if !isScanning {
                isScanning = true
                station.startScan(at: now)
            }
        case .identify, .scan: throw .unknownCommand(command.id.rawValue)
        }
    }

    private mutating func accept(_ settings: ImprovSettings, _ index: Int, at now: HostInstant) {
        guard case .open = phase else {
            report(.settings(links[index].id, ssid: settings.ssid, .notAuthorized))
            return answer(.notAuthorized, index)
        }
        report(.settings(links[index].id, ssid: settings.ssid, .none))
        answer(.none, index)
        change(
            to: .joining(
                links[index].id, settings, until: now.advanced(bySeconds: ImprovLimit.joinSeconds / 2)))
        station.join(settings, at: now)
    }

    // MARK: Wi-Fi

    /// Handles an event of the Wi-Fi radio.
    mutating func drainStation(at now: HostInstant) {
        while let event = station.nextEvent() {
            switch event {
            case .scanned(let networks): scanned(networks)
            case .scanFailed:
                report(.scanFailed)
                for index in awaitingNetworks() { answer(.unknown, index) }
            case .joined(let url): joined(url)
            case .joinFailed: joinFailed(at: now)
            }
        }
    }

    private mutating func awaitingNetworks() -> [Int] {
        isScanning = false
        var waiting: [Int] = []
        for index in links.indices where links[index].awaitsNetworks {
            links[index].awaitsNetworks = false
            waiting.append(index)
        }
        return waiting
    }

    /// Sends one network of each name, the strongest first: whoever reads only the first result has those.
    private mutating func scanned(_ networks: [ImprovNetwork]) {
        var sent: [ImprovNetwork] = []
        for network in networks.ordered(by: { ($0.rssi ?? .min) > ($1.rssi ?? .min) })
        where !network.ssid.isEmpty && !sent.contains(where: { $0.ssid == network.ssid }) {
            if sent.count < ImprovLimit.sentNetworks { sent.append(network) }
        }
        for index in awaitingNetworks() {
            var strings: [WireText] = []
            var count = 0
            for network in sent {
                let more = network.strings
                let needed = more.reduce(0) { $0 + $1.octets.count + 1 }
                if count + needed > ImprovLimit.data {
                    send(ImprovResult(.scan, strings), index)
                    strings = []
                    count = 0
                }
                strings += more
                count += needed
            }
            send(ImprovResult(.scan, strings), index)
            report(.networksSent(links[index].id, count: sent.count))
        }
    }

    private mutating func joined(_ url: WireText?) {
        guard case .joining(let link, var settings, _) = phase else { return }
        settings.wipe()
        change(to: .done)
        if let index = index(of: link) {
            send(ImprovResult(.wifiSettings, url.map { [$0] } ?? []), index)
        }
    }

    mutating func joinFailed(at now: HostInstant) {
        guard case .joining(let link, var settings, _) = phase else { return }
        report(.joinFailed(ssid: settings.ssid))
        settings.wipe()
        if let index = index(of: link) { answer(.unableToConnect, index) }
        change(to: opened(at: now))
    }

    mutating func change(to next: Phase) {
        let before = state
        phase = next
        guard state != before else { return }
        report(.changed(state))
        for index in links.indices {
            if let handles { send([state.rawValue], handles.state, index) }
        }
        outputs.append(.advertisementChanged)
    }

    // MARK: Sending

    /// Notifies the error of a link's last command; no error only where there was one.
    private mutating func answer(_ error: ImprovErrorCode, _ index: Int) {
        let before = links[index].error
        links[index].error = error
        if let handles, error != .none || before != .none { send([error.rawValue], handles.error, index) }
    }

    private mutating func send(_ result: ImprovResult, _ index: Int) {
        let octets = result.encoded()
        links[index].result = octets
        guard let handles else { return }
        let room = max(ATT.longestValue(atMTU: links[index].mtu), 1)
        for start in stride(from: 0, to: octets.count, by: room) {
            send(Array(octets[start..<min(start + room, octets.count)]), handles.result, index)
        }
    }

    private mutating func send(_ octets: [UInt8], _ handle: AttributeHandle, _ index: Int) {
        guard outputs.count < Self.maximumWaiting else { return }
        outputs.append(.send(links[index].id, handle, octets, .notify))
    }

    mutating func report(_ event: Event) {
        if outputs.count < Self.maximumWaiting { outputs.append(.event(event)) }
    }
}
