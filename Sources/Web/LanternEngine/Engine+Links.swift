// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import Detections
import FlockFinder
import FlockFinderCompanion
import HubModel

/// The engine's link to one FlockFinder, and its session.
final class RunningLink {
    let id: Int
    let peer: Peer
    var link = FlockLink()
    var run: ManagedSession<FlockFinderClient>?

    init(_ device: HubDevice) { (id, peer) = (device.id, device.peer) }
}

extension Engine {
    /// The devices that it hears or knows.
    var devices: DiscoveredDevices {
        get { connections.devices }
        _modify { yield &connections.devices }
    }

    /// Connects to a FlockFinder that was heard, unless somebody has said that it is to be left alone.
    func connectByItself(_ device: HubDevice) {
        let isReachable = browser?.mayUse(device.peer) ?? (device.lastHeard != nil)
        begin(connections.connectByItself(device, isReachable: isReachable))
    }

    /// Why a device cannot be connected now, in a sentence; `nil` when nothing is in the way.
    func obstacle(to device: Int) -> String? {
        guard radio.isReady else { return "The radio of this page is not ready yet. Wait a moment." }
        guard let browser, let peer = devices.device(device)?.peer, !browser.mayUse(peer) else { return nil }
        return Self.chooseAgain
    }

    /// Begins to keep a link to a device, if there is one to begin with.
    func begin(_ device: HubDevice?) {
        guard let device else { return }
        let running = RunningLink(device)
        links[device.id] = running
        let options = FlockFinderClient.Options(target: .peer(device.peer), seed: random.next())
        let run = ManagedSession(FlockFinderClient(options: options)) { [self] event, _ in
            receive(event, of: running)
        }
        running.run = run
        radio.run(run, at: now)
    }

    /// Leaves a device with a farewell.
    func end(_ device: Int) {
        guard let running = links.removeValue(forKey: device) else { return }
        running.link.end(at: moment)
        running.run?.update { $0.close(at: now) }
        follow(running)
    }

    private func receive(_ event: FlockFinderEvent, of running: RunningLink) {
        let peer = running.peer
        switch event.usable {
        case .detection(let detection):
            switch store(detection, from: peer) {
            case true?: running.link.receiveDetection(at: moment)
            case false?: running.link.refuse(at: moment)
            case nil: break
            }
        case .state(let report): receive(.state(LinkStateChanged(report)), of: running)
        case .parseError(let error, let raw):
            let failure = ParseFailure(received: time, reason: "\(error)", raw: raw)
            receive(.parseError(FlockParseError(peer, failure)), of: running)
        case .stream(let octets): receive(.stream(FlockStreamObject(peer, octets)), of: running)
        case .command(let command, let failure):
            receive(.command(FlockCommandWritten(peer, command, failure: failure)), of: running)
        case .advice(let advice): receive(.notice(FlockNotice(peer, advice)), of: running)
        case .mtu: break
        }
        follow(running)
    }

    private func receive(_ content: FlockReport.Content, of running: RunningLink) {
        running.link.receive(FlockReport(time, content), at: moment)
    }

    /// Does what comes of a link.
    private func follow(_ running: RunningLink) {
        while let output = running.link.nextOutput() {
            switch output {
            case .changed: devices.update(running.id) { running.link.show(on: &$0) }
            case .event(let report): publish(report)
            case .proved(let isFlockFinder): proved(running, isFlockFinder: isFlockFinder)
            case .send(let command): running.run?.update { $0.send(command, at: now) }
            case .setStream(true): running.run?.update { $0.startStream(at: now) }
            case .setStream(false): running.run?.update { $0.stopStream(at: now) }
            case .answered(let request, .success(let text)): answer(request.id) { text.write(into: &$0) }
            case .answered(let request, .failure(let fault)): refuse(request.id, RequestError(fault))
            }
        }
    }

    private func publish(_ report: FlockReport) {
        switch report.content {
        case .state(let event): publish(event)
        case .parseError(let event): publish(event)
        case .stream(let event): publish(event)
        case .command(let event): publish(event)
        case .notice(let event): publish(event)
        // It is published when it is stored.
        case .detection: break
        }
    }

    /// Handles that a device has shown that it is a FlockFinder, or is not.
    private func proved(_ running: RunningLink, isFlockFinder: Bool) {
        let proof = connections.prove(running.id, isFlockFinder: isFlockFinder)
        if proof.isToEnd { end(running.id) }
        if proof.isRememberedAnew { keepDevices() }
    }

    /// Writes a command; its answer is that of the request.
    func send(_ command: WireText, to device: Int, for request: Int64) throws(HubError) {
        try FlockLink.check(command)
        guard let running = links[device] else { throw FlockLink.notConnected }
        try running.link.send(command, for: JobRequest(id: request), at: moment)
        follow(running)
    }

    /// Does for links what is due.
    func refreshLinks() {
        for running in links.values where running.link.nextDeadline.map({ $0 <= now }) ?? false {
            running.link.deadlineReached(at: moment)
            follow(running)
        }
    }
}
