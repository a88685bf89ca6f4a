// SPDX-License-Identifier: Apache-2.0

// Events of any kind are values that Embedded Swift has not.
#if !hasFeature(Embedded)
import BLEWire
import Companion
public import CompanionText
public import Nightlight

extension NightlightDeviceEvent {
    /// The event as people and programs get it; `nil` for what the lamp keeps, which is nothing to look at.
    public var event: (any EventText)? {
        switch self {
        case .connected(let link, let peer): LinkConnected(link: link, peer)
        case .disconnected(let link): LinkDisconnected(link: link)
        case .shows(let display): LampShows(display)
        case .pressed(let verdict): LampButtonPressed(verdict)
        case .shaken(let turns): LampShaken(turnsColors: turns)
        case .battery(let battery): LampBatteryChanged(battery)
        case .clock(let time): LampClockSet(time)
        case .written(let link, let item, let octets): LampWritten(link, item, octets)
        case .refused(let link, let item, let refusal): LampWriteRefused(link, item, refusal)
        case .settings: nil
        }
    }
}
#endif
