// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Improv

extension LinkCheck {
    static func improv() {
        var client = ImprovClient(options: ImprovClient.Options())
        use(client: &client)
        let info = ImprovDeviceInfo(firmware: "", version: "", hardware: "", name: "")
        var host = DeviceHost(ImprovDevice(station: DeafStation(), info: info))
        use(host: &host)
        host.update(at: .zero) { $0.press(at: .zero) }
    }
}

/// A Wi-Fi radio that hears nothing.
private struct DeafStation: ImprovStation, ~Copyable, Sendable {
    var capabilities: ImprovCapabilities { [] }
    var nextDeadline: HostInstant? { nil }

    mutating func identify(at now: HostInstant) {}
    mutating func startScan(at now: HostInstant) {}
    mutating func join(_ settings: ImprovSettings, at now: HostInstant) {}
    mutating func leave(at now: HostInstant) {}
    mutating func deadlineReached(at now: HostInstant) {}
    mutating func nextEvent() -> ImprovStationEvent? { nil }
}
