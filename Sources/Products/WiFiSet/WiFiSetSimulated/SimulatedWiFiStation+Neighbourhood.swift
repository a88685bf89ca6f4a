// SPDX-License-Identifier: Apache-2.0

import BLEWire
import WiFiSet

extension SimulatedWiFiStation {
    /// The neighbourhood of devices that are given no other: something of everything that a list can hold.
    ///
    /// | name | password | what happens |
    /// |---|---|---|
    /// | Lantern Home, heard twice | lantern-home | joins in 2 s |
    /// | Corner Café | none, it is open | joins in 2 s |
    /// | B\u{E4}ckerei, in Latin-1 and so not UTF-8 | fresh-bread | joins in 2 s |
    /// | Attic, WPA3 | under-the-roof | joins in 9 s |
    /// | Garage, hidden | hidden-garage | joins in 2 s |
    /// | Old Printer, WEP | 12345 | joins in 2 s |
    /// | Office, WPA2-Enterprise | | cannot be joined by this protocol |
    /// | Far Away | any | never answers |
    public static let neighbourhood: [Network] = {
        func network(
            _ ssid: WireText, _ rssi: Int8, _ security: WiFiSecurity, _ channel: UInt8,
            hiddenName: WireText? = nil, password: WireText?, joinMilliseconds: UInt64 = 2000,
            fault: Network.Fault? = nil
        ) -> Network {
            Network(
                WiFiNetwork(ssid: ssid, rssi: rssi, security: security, channel: channel),
                hiddenName: hiddenName, password: password?.octets, joinMilliseconds: joinMilliseconds,
                fault: fault)
        }
        let bakery: [UInt8] = [0x42, 0xE4] + Array("ckerei".utf8)
        return [
            network("Lantern Home", -48, .wpa2, 6, password: "lantern-home"),
            network("Lantern Home", -71, .wpa2, 11, password: "lantern-home"),
            network("Corner Café", -63, .open, 1, password: ""),
            network(WireText(bakery), -74, .wpa2, 4, password: "fresh-bread"),
            network(
                "Attic", -77, .wpa3, 3, password: "under-the-roof", joinMilliseconds: 9000),
            network("Office", -69, .wpa2Enterprise, 11, password: "unused"),
            network("Old Printer", -82, .wep, 9, password: "12345"),
            network("Far Away", -91, .wpa2, 13, password: nil, fault: .noAnswer),
            network("", -58, .wpa2, 6, hiddenName: "Garage", password: "hidden-garage"),
        ]
    }()
}
