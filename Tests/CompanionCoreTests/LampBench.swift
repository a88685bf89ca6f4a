// SPDX-License-Identifier: Apache-2.0

import BLEATT
import BLEGATT
import BLEWire
import Companion
import CompanionCore
import Nightlight
import NightlightCompanion
import NightlightSimulated
import SessionTesting

typealias LampBench = JobBench<LampJob, NightlightDevice>

extension JobBench where Machine == LampJob, Device == NightlightDevice {
    /// A lamp that somebody uses; its clock is off by so many seconds.
    convenience init(clockOff seconds: Int64 = 0, isForChanges: Bool = false) {
        let moment = UnixTime(seconds: Moment.beginning.time.milliseconds / 1000)
        var clock = ClockReading(.utc, ahead: 0, at: moment)
        clock.time = WallClock.utc.time(at: moment.advanced(bySeconds: seconds))
        var table = JobTable.fresh
        let job = table.beginLamp(
            .tested, clock: LocalClock(), isForChanges: isForChanges, at: .beginning)
        self.init(
            job,
            NightlightDevice(
                settings: SimulatedNightlight.settings, clock: clock, battery: SimulatedNightlight.battery))
    }

    var dashboard: LampDashboard { job.machine.dashboard }
    var isUnderWay: Bool { job.machine.isUnderWay }

    /// What the lamp's clock shows.
    var localTime: LocalTime? { pair.device.localTime(at: pair.now) }

    /// How often everything was read again: its clock is.
    var readings: Int { readings(of: NightlightItem.currentTime.uuid) }

    /// What was written, in order.
    var written: [NightlightItem] {
        writes.compactMap { write in
            NightlightItem.allCases.first { pair.handle(of: $0.uuid) == write.handle }
        }
    }

    /// What waited for the lamp and was reported to be written, by its number, with the refusal.
    var sent: [(number: Int, refusal: String?)] {
        pair.events.compactMap { output in
            if case .changeSent(_, let number, let refusal) = output { (number, refusal) } else { nil }
        }
    }

    func change(
        _ change: LampChange, ifChanges changes: Int? = nil, waited number: Int? = nil
    ) throws(HubError) {
        try ask { machine, moment throws(HubError) in
            try machine.change(change, ifChanges: changes, waited: number, at: moment)
        }
    }

    /// Sends what waited for the lamp, as a host does when the lamp is there.
    func send(_ changes: [(number: Int, change: LampChange)]) throws(HubError) {
        try ask { machine, moment throws(HubError) in
            for (number, change) in changes { try machine.change(change, waited: number, at: moment) }
            machine.noMoreChanges(at: moment)
        }
    }

    func tryOut(_ color: RGBColor, on leds: [Int] = [1, 2, 3, 4]) throws(HubError) {
        try ask { machine, moment throws(HubError) in
            try machine.tryOut(color, on: leds, at: moment)
        }
    }

    func endProof() throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.endProof(at: moment) }
    }

    func setClock() throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.setClock(at: moment) }
    }

    /// Refuses what is written to a value.
    func refuse(_ item: NightlightItem) {
        guard let handle = pair.handle(of: item.uuid) else { return }
        pair.fate = { request in
            if case .write(handle, _) = request {
                .answered(
                    .failure(.refused(ATT.ErrorCode(rawValue: NightlightErrorCode.outOfRange.rawValue))))
            } else {
                .carriedOut()
            }
        }
    }
}

extension LampChange {
    /// Reads a change as a page sends it.
    init(text: String) throws {
        self = try LampChange(JSONReader.read(Array(text.utf8)))
    }
}
