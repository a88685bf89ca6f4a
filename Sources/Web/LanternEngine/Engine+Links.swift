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
    var run: SessionRun<FlockFinderClient>?

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
        let running = RunningLink(device)
        links[device.id] = running
        devices.update(device.id) { $0.link = .connecting }
        let options = FlockFinderClient.Options(target: .peer(device.peer), seed: random.next())
        let run = SessionRun(FlockFinderClient(options: options)) { [self] event, _ in
            receive(event, of: running)
        }
        running.run = run
        radio.run(run, at: now)
    }

    /// Leaves a device with a farewell.
    func end(_ running: RunningLink) {
        links.removeValue(forKey: running.id)
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
            case .answered(let request, .failure(let fault)): refuse(request.id, RequestFault(fault))
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
        devices.prove(running.id, isFlockFinder: isFlockFinder)
        if isFlockFinder {
            // What somebody has said about it counts; one that is new is connected to from now on.
            guard !devices.knows(running.peer), devices.known.count < KnownDevice.limit else { return }
            devices.update(running.id) { $0.connectsByItself = true }
            devices.setKnown(running.id, true)
        } else {
            devices.update(running.id) { $0.connectsByItself = false }
            leftAlone.insert(running.id)
            end(running)
        }
        keepSettings()
    }

    /// Writes a command; its answer is that of the request.
    func send(_ command: WireText, to device: Int, for request: Int64) throws(HubFault) {
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
