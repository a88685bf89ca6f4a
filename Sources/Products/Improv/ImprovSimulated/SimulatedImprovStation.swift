// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import Improv
import WiFiSet
public import WiFiSetSimulated

/// The Wi-Fi radio with an invented neighbourhood, as an Improv device uses it.
public struct SimulatedImprovStation: ImprovStation, ~Copyable, Sendable {
    private var wifi: SimulatedWiFiStation
    private var events = FIFO<ImprovStationEvent>()

    /// Takes a radio.
    public init(_ wifi: consuming SimulatedWiFiStation = SimulatedWiFiStation()) { self.wifi = wifi }

    /// Everything.
    public var capabilities: ImprovCapabilities { [.identify, .deviceInfo, .scan] }

    /// The network with which the device has joined last.
    public var storedSSID: WireText? { wifi.stored?.ssid }

    /// Does nothing: whoever watches the device is shown it.
    public mutating func identify(at now: HostInstant) {}

    /// Looks around for a while.
    public mutating func startScan(at now: HostInstant) { wifi.startScan(at: now) }

    /// Joins a network of the neighbourhood.
    public mutating func join(_ settings: ImprovSettings, at now: HostInstant) {
        // A WPA key of 64 digits opens nothing here: the networks have passwords.
        guard let credentials = try? WiFiCredentials(ssid: settings.ssid, password: settings.password),
            wifi.keep(credentials)
        else {
            events.append(.joinFailed)
            return
        }
        wifi.join(credentials, at: now)
    }

    /// Gives up joining.
    public mutating func leave(at now: HostInstant) {
        wifi.leave(at: now)
        wifi.dropCandidate()
    }

    /// Ends the scan and the join whose time has come.
    public mutating func deadlineReached(at now: HostInstant) { wifi.deadlineReached(at: now) }

    /// The next thing that happened.
    public mutating func nextEvent() -> ImprovStationEvent? {
        if let event = events.popFirst() { return event }
        switch wifi.nextEvent() {
        case .scanned(let networks)?: return .scanned(networks.map(Self.network))
        case .scanFailed?: return .scanFailed
        case .joined(_, let address)?:
            _ = wifi.storeCandidate()
            let octets = [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }
            return .joined(url: WireText("http://\(octets.joined(separator: "."))/"))
        case .joinFailed?, .lost?:
            wifi.dropCandidate()
            return .joinFailed
        case nil: return nil
        }
    }

    /// When the scan or the join ends.
    public var nextDeadline: HostInstant? { wifi.nextDeadline }

    private static func network(_ network: WiFiNetwork) -> ImprovNetwork {
        let security: WireText =
            switch network.security {
            case .open: "NO"
            case .wep: "WEP"
            case .wpa2Enterprise: "WPA2 EAP"
            case .wpa3: "WPA3"
            default: "WPA2"
            }
        return ImprovNetwork(ssid: network.ssid, rssi: network.rssi, security: security)
    }
}
