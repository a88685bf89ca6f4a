// SPDX-License-Identifier: Apache-2.0

import BLEAdvertising
import BLEWire
import Companion
import CompanionCore
import Detections
import FlockFinder
import FlockFinderCompanion
import HubModel

/// What comes of detections, and how long they stay.
extension Engine {
    /// Stores a detection, and tells it.
    ///
    /// - Parameters:
    ///   - detection: The detection.
    ///   - peer: The FlockFinder that has sent it; `nil` for the radio itself.
    /// - Returns: Whether it is stored; `nil` when nobody wants one that is so unsure.
    func store(_ detection: Detection, from peer: Peer?) -> Bool? {
        guard detection.confidence >= kept.settings.minimumConfidence else { return nil }
        let place = place
        let sighting = Sighting(
            detection, received: time, device: peer?.address, position: place?.position,
            motion: place?.motion ?? Sighting.Motion(), fix: place?.fix)
        let key = DetectionKey(received: time, using: &random)
        guard let record = detections.add(sighting, key: key) else {
            let reason = detections.isFull ? "there is no room for it" : "it breaks a rule of the database"
            publish(
                FlockParseError(peer, ParseFailure(received: time, reason: reason, raw: sighting.raw)))
            return false
        }
        recording.receive([record], at: moment)
        keep(detection: record.id)
        if record.sourceFirstSeen == record.sighting.received, let source = record.source {
            keep(source: source)
        }
        var event = DetectionEvent(record)
        event.raisesAlert = alerts.raises(
            event, by: kept.settings.alerts, offset: zone.offset(at: time), at: moment)
        publish(event)
        return true
    }

    // MARK: The radio itself

    /// Lets the radio notice cameras itself, or no more; what was heard before and not said is forgotten.
    func followDetector() {
        if !kept.settings.detectsItself {
            detector = nil
        } else if detector == nil {
            detector = Detector(.builtIn)
        }
    }

    /// Takes what the radio has heard.
    func notice(_ report: AdvertisementReport) {
        guard let address = report.peer.address else { return }
        detector?.receive(AdvertisingData(report.octets), from: address, rssi: report.rssi, at: now)
    }

    /// Stores what the radio has noticed since the last time.
    func storeNoticed() {
        detector?.deadlineReached(at: now)
        while let detection = detector?.nextOutput() { _ = store(detection, from: nil) }
    }

    // MARK: Settings

    /// Why settings cannot be had here; `nil` when they can.
    func refusal(of new: HubSettings) -> RequestError? {
        if new.encryption != HubSettings().encryption {
            return RequestError(
                501, "Saying which links are encrypted needs a hub. A browser pairs by itself.")
        }
        if new.sizeLimit != nil {
            return RequestError(501, "A limit in megabytes needs a hub. A page has one of its own.")
        }
        if new.detectsItself, browser != nil {
            return RequestError(
                501, "Hearing all devices needs a hub. A page hears the devices that you choose.")
        }
        if new.location.source == .gpsd {
            return RequestError(501, "gpsd needs a hub. Choose this browser, or a fixed place.")
        }
        return nil
    }

    /// Deletes what is older than somebody wants it kept.
    func keepWithinLimits() {
        guard let days = kept.settings.retentionDays else { return }
        let limit = Timestamp(milliseconds: time.milliseconds - Int64(days) * 86_400_000)
        keep(drives.forget(endedBefore: limit, apartFrom: recording.openDrive))
        let old = detections.records(matching: DetectionFilter(until: limit)).map { $0.id }
        guard !old.isEmpty else { return }
        for id in detections.discard(old).ids { keep(detection: id) }
        // Pages have them on their lists.
        publish(EventsLost(1))
    }
}
