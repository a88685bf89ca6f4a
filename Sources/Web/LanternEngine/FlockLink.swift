// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import CompanionText
import FlockFinder

/// The engine's link to one FlockFinder, kept until it is ended.
final class FlockLink {
    /// A command that was written, and for whose answer somebody waits.
    struct Exchange {
        let request: Int64
        let command: WireText
        let begun: HostInstant
        var isWritten = false
        /// When it is over without an answer.
        var deadline: HostInstant

        /// Whether the live stream is to be on or off, if that is what the command is about.
        var streamWish: Bool? {
            if command == FlockFinderCommand.streamOn { return true }
            return command == FlockFinderCommand.streamOff ? false : nil
        }
    }

    let id: Int
    let peer: Peer
    var run: SessionRun<FlockFinderClient>?
    var wasConnected = false
    var exchange: Exchange?
    /// Whether it is being ended, so that what it says of its state counts no more.
    var isEnding = false

    init(_ device: HubDevice) { (id, peer) = (device.id, device.peer) }
}

extension Engine {
    /// Connects to a FlockFinder that was heard, unless somebody has said that it is to be left alone.
    func connectByItself(_ device: HubDevice) {
        guard device.kind == .flockFinder, links[device.id] == nil,
            browser?.mayUse(device.peer) ?? (device.lastHeard != nil),
            jobs.running[device.id] == nil, !leftAlone.contains(device.id),
            linkCount < Self.maximumLinks,
            device.connectsByItself || !devices.knows(device.peer)
        else { return }
        begin(device)
    }

    /// Begins to keep a link to a device.
    func begin(_ device: HubDevice) {
        let link = FlockLink(device)
        links[device.id] = link
        devices.update(device.id) { $0.link = .connecting }
        let options = FlockFinderClient.Options(target: .peer(device.peer), seed: random.next())
        let run = SessionRun(FlockFinderClient(options: options)) { [self] event, _ in
            receive(event, of: link)
        }
        link.run = run
        radio.run(run, at: now)
    }

    /// Leaves a device with a farewell.
    func end(_ link: FlockLink) {
        links.removeValue(forKey: link.id)
        link.isEnding = true
        end(
            link,
            with: .failure(EngineProblem(409, "The link to the device has ended. Try again when it is back."))
        )
        link.run?.update { $0.close(at: now) }
        devices.update(link.id) { device in
            device.link = .none
            (device.reason, device.nextTry, device.connectedSince) = (nil, nil, nil)
            device.isStreaming = false
        }
    }

    private func receive(_ event: FlockFinderEvent, of link: FlockLink) {
        switch event.usable {
        case .detection(let detection): store(detection, of: link)
        case .state(let report): if !link.isEnding { receive(report, of: link) }
        case .parseError(let error, let raw):
            let failure = ParseFailure(received: time, reason: "\(error)", raw: raw)
            devices.update(link.id) { $0.refused += 1 }
            publish(FlockParseError(link.peer, failure))
        case .stream(let octets):
            let object = FlockStreamObject(link.peer, octets)
            answered(object, link)
            publish(object)
        case .command(let command, let failure):
            written(command, failure, link)
            publish(FlockCommandWritten(link.peer, command, failure: failure))
        case .advice(let advice):
            publish(FlockNotice(link.peer, advice))
            if case .characteristicsMissing = advice { isNone(link) }
        case .mtu: break
        }
    }

    private func store(_ detection: Detection, of link: FlockLink) {
        switch store(detection, from: link.peer) {
        case true?:
            devices.update(link.id) { device in
                device.received += 1
                (device.lastReceived, device.lastHeard) = (time, time)
            }
        case false?: devices.update(link.id) { $0.refused += 1 }
        case nil: break
        }
    }

    private func receive(_ report: DeviceLink.Report, of link: FlockLink) {
        publish(LinkStateChanged(report))
        if report.state == .connected {
            link.wasConnected = true
            devices.prove(link.id, isFlockFinder: true)
            devices.update(link.id) { $0.connectsByItself = true }
            devices.setKnown(link.id, true)
            keepSettings()
        }
        let wasConnected = link.wasConnected
        devices.update(link.id) { device in
            (device.reason, device.nextTry) = (nil, nil)
            if report.state != .connected { device.connectedSince = nil }
            switch report.state {
            case .connected: (device.link, device.connectedSince) = (.connected, time)
            case .connecting, .discovering: device.link = .connecting
            case .scanning: device.link = wasConnected ? .lost : .connecting
            case .disconnected:
                device.link = .lost
                device.reason = report.reason.map { "It did not work: \($0.description)." }
                device.nextTry = report.retryMilliseconds.map {
                    Timestamp(milliseconds: time.milliseconds + Int64(clamping: $0))
                }
            case .bluetoothOff, .unauthorized:
                (device.link, device.reason) = (.lost, "The radio cannot be used.")
            }
        }
    }

    /// Handles that a device has shown that it is no FlockFinder.
    private func isNone(_ link: FlockLink) {
        devices.prove(link.id, isFlockFinder: false)
        devices.update(link.id) { $0.connectsByItself = false }
        leftAlone.insert(link.id)
        end(link)
        keepSettings()
    }

    // MARK: Commands

    /// Writes a command; its answer is that of the request.
    func send(_ command: WireText, to link: FlockLink, for request: Int64) throws(EngineProblem) {
        guard link.exchange == nil else {
            throw EngineProblem(409, "The device is still answering another command. Try again in a moment.")
        }
        let exchange = FlockLink.Exchange(
            request: request, command: command, begun: now, deadline: now.advanced(bySeconds: 10))
        link.exchange = exchange
        link.run?.update { client in
            switch exchange.streamWish {
            case true?: client.startStream(at: now)
            case false?: client.stopStream(at: now)
            case nil: client.send(command, at: now)
            }
        }
    }

    private func written(_ command: WireText, _ failure: RequestFailure?, _ link: FlockLink) {
        guard let exchange = link.exchange, exchange.command == command else { return }
        if let failure {
            return end(
                link,
                with: .failure(
                    EngineProblem(409, "The command could not be written: \(failure.description).")))
        }
        link.exchange?.isWritten = true
        // What is about the stream is not answered, unless it is refused.
        link.exchange?.deadline = now.advanced(byMilliseconds: exchange.streamWish == nil ? 2000 : 400)
    }

    private func answered(_ object: FlockStreamObject, _ link: FlockLink) {
        guard let exchange = link.exchange else { return }
        if let refusal = object.refusal {
            let sentence = "The device does not know the command: \(refusal.shortened)."
            end(link, with: .failure(EngineProblem(409, sentence)))
        } else if exchange.streamWish == nil, let status = object.status {
            end(link, with: .success(status))
        }
    }

    /// Ends exchanges that have taken long enough.
    func refreshExchanges() {
        for link in links.values {
            guard let exchange = link.exchange, exchange.deadline <= now else { continue }
            if !exchange.isWritten {
                end(
                    link,
                    with: .failure(EngineProblem(504, "The device did not take the command. Try again.")))
            } else if let wish = exchange.streamWish {
                end(link, with: .success("The live stream is \(wish ? "on" : "off")."))
            } else {
                end(link, with: .success("It took the command and said nothing."))
            }
        }
    }

    private func end(_ link: FlockLink, with result: Result<String, EngineProblem>) {
        guard let exchange = link.exchange else { return }
        link.exchange = nil
        switch result {
        case .failure(let problem): refuse(exchange.request, problem)
        case .success(let text):
            devices.update(link.id) { device in
                if let isOn = exchange.streamWish { device.isStreaming = isOn }
                if exchange.command == FlockFinderCommand.reset { (device.received, device.refused) = (0, 0) }
            }
            answer(exchange.request) { json in
                json.object { json in
                    json.field("answer", text)
                    json.field("milliseconds", now.microseconds(since: exchange.begun) / 1000)
                }
            }
        }
    }
}

extension FlockStreamObject {
    /// What the device says of itself, if that is what the object is.
    fileprivate var status: String? {
        guard let read = try? JSONReader.read(object), let kind = try? read.member("evt"),
            kind.value == .text("status")
        else { return nil }
        if let message = try? read.member("msg"), case .text(let text) = message.value {
            return text.shortened
        }
        return String(decoding: object, as: UTF8.self).shortened
    }
}
