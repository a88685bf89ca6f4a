// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import Companion
public import Improv

extension ImprovClient: WiFiSession {
    /// Improv.
    public static var kind: WiFiProtocol { .improv }

    /// Makes a session with one device, which does not come back to it.
    public init(wifiTarget target: DeviceLink.Target, seed: UInt64) {
        self.init(options: Options(target: target, reconnects: false, seed: seed))
    }

    /// Sends credentials.
    public mutating func send(_ secret: WiFiSecret, at now: HostInstant) throws(WiFiSecretError) {
        let settings: ImprovSettings
        do throws(ImprovSettings.Failure) {
            settings = try ImprovSettings(ssid: secret.ssid, password: secret.password)
        } catch {
            throw switch error {
            case .ssidLength(let count): .ssidLength(count)
            case .passwordLength(let count): .passwordTooLong(count)
            }
        }
        provision(settings, at: now)
    }

    /// Does nothing: the device has said it from the beginning.
    public mutating func requestState(at now: HostInstant) {}

    /// Has the device show itself, by a light or a sound.
    public mutating func showItself(at now: HostInstant) -> Bool {
        identify(at: now)
        return true
    }

    /// Asks what the device is.
    public mutating func describeItself(at now: HostInstant) -> Bool {
        requestInfo(at: now)
        return true
    }

    /// The change of the link's state that an event reports, if it is one.
    public static func report(in event: ImprovEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }

    /// The characteristics of the device, if an event lists them.
    public static func characteristics(in event: ImprovEvent) -> [BluetoothUUID]? {
        if case .characteristics(let uuids) = event { uuids } else { nil }
    }

    /// What was wrong with something that the device sent, if an event reports that.
    public static func fault(in event: ImprovEvent) -> String? {
        if case .fault(let error) = event { error.description } else { nil }
    }

    /// The report of an event, the same for all protocols.
    public static func wifiReport(in event: ImprovEvent) -> WiFiReport? {
        switch event {
        case .ready(let peer):
            .ready(
                WiFiDevice(
                    peer.peer, name: peer.name, mtu: peer.mtu, kind: kind, state: WiFiDeviceState(peer.state),
                    canIdentify: peer.capabilities.contains(.identify)))
        case .changed(.provisioned): nil  // The address follows.
        case .changed(let state): .state(WiFiDeviceState(state))
        case .error(let error): .trouble(ReportedWiFiError(error))
        case .authorizationNeeded: .authorizationNeeded
        case .sent(.wifiSettings): .sent(attempt: 1)
        case .sent(.scan): .listRequested(attempt: 1)
        case .identified: .identified
        case .info(let info):
            .description(
                WiFiDeviceDescription(
                    firmware: info.firmware.string, version: info.version.string,
                    hardware: info.hardware.string, name: info.name.string))
        case .networks(let networks): .list(HeardNetworks(networks.map { HeardNetwork($0) }, isWhole: true))
        case .failed(.scan, let failure): .listFailed(WiFiError(failure))
        case .failed(.identify, let failure): .identifyFailed(WiFiError(failure))
        case .failed(_, let failure): .descriptionFailed(WiFiError(failure))
        case .provisioned(.connected(let url)):
            .joined(WiFiDeviceState(.provisioned, url: url), isRepeated: false)
        case .provisioned(.unableToConnect): .notJoined(.couldNotJoin)
        case .provisioned(.notAuthorized): .notJoined(.notAuthorized)
        case .provisioned(.failed(.timeout)): .notJoined(.noResult)
        case .provisioned(.failed(let failure)): .notJoined(WiFiError(failure))
        case .state, .characteristics, .mtu, .sent, .fault: nil
        }
    }
}

extension WiFiError {
    fileprivate init(_ failure: ImprovError) {
        self =
            switch failure {
            case .refused(let error): .reported(ReportedWiFiError(error))
            case .timeout: .noAnswer
            case .unsupported: .unsupported
            case .stopped: .stopped
            case .writeFailed(let failure): .request(failure)
            case .tooMany: .request(.queueFull)
            case .badResult(let error): .unusable(error.description)
            case .disconnected: .linkLost
            }
    }
}
