// SPDX-License-Identifier: Apache-2.0

import BLEHost
import BLEWire
import Nightlight

extension LinkCheck {
    static func nightlight() {
        var client = NightlightClient(options: NightlightClient.Options())
        use(client: &client)
        client.set(.week(.factory), at: .zero)
        _ = (client.values.week, client.values.source)
        var host = DeviceHost(NightlightDevice())
        use(host: &host)
        host.update(at: .zero) { lamp in
            lamp.press(at: .zero)
            lamp.shake(at: .zero)
            lamp.set(LampBattery(percent: 50, isCharging: true), at: .zero)
            lamp.set(LocalTime(CalendarDate(dayNumber: 0)), at: .zero)
        }
    }
}
