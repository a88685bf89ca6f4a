// SPDX-License-Identifier: Apache-2.0

public import BLEGATT
public import BLEWire
public import Companion
public import WiFiSet

extension WiFiSetClient: WiFiSession {
    /// WiFiSet.
    public static var kind: WiFiProtocol { .wifiSet }

    /// Makes a session with one device, which does not come back to it.
    public init(wifiTarget target: DeviceLink.Target, seed: UInt64) {
        self.init(options: Options(target: target, reconnects: false, seed: seed))
    }

    /// Sends credentials.
    public mutating func send(_ secret: WiFiSecret, at now: HostInstant) throws(WiFiSecretError) {
        let credentials: WiFiCredentials
        do throws(WiFiCredentials.Failure) {
            credentials = try WiFiCredentials(ssid: secret.ssid, password: secret.password)
        } catch {
            throw switch error {
            case .emptySSID: .ssidLength(0)
            case .ssidTooLong(let count): .ssidLength(count)
            case .passwordTooLong(let count): .passwordTooLong(count)
            case .keyInsteadOfPassword: .keyInsteadOfPassword
            }
        }
        provision(credentials, at: now)
    }

    /// Asks for the state.
    public mutating func requestState(at now: HostInstant) { requestStatus(at: now) }

    /// The change of the link's state that an event reports, if it is one.
    public static func report(in event: WiFiSetEvent) -> DeviceLink.Report? {
        if case .state(let report) = event { report } else { nil }
    }

    /// The characteristics of the device, if an event lists them.
    public static func characteristics(in event: WiFiSetEvent) -> [BluetoothUUID]? {
        if case .characteristics(let uuids) = event { uuids } else { nil }
    }

    /// What was wrong with something that the device sent, if an event reports that.
    public static func fault(in event: WiFiSetEvent) -> String? {
        if case .fault(let error) = event { error.description } else { nil }
    }

    /// The report of an event, the same for all protocols.
    public static func wifiReport(in event: WiFiSetEvent) -> WiFiReport? {
        switch event {
        case .ready(let peer, let name, let mtu): .ready(WiFiDevice(peer, name: name, mtu: mtu, kind: kind))
        case .listRequested(let attempt): .listRequested(attempt: attempt)
        case .network(let network): .network(HeardNetwork(network))
        case .list(let list):
            .list(
                HeardNetworks(
                    list.networks.map { HeardNetwork($0) }, count: list.count,
                    sequenceGaps: list.sequenceGaps,
                    duplicates: list.duplicates))
        case .listFailed(let failure): .listFailed(WiFiError(failure))
        case .written(let attempt): .sent(attempt: attempt)
        case .acknowledged(let answer, let attempt): .answered(WiFiAnswer(answer), attempt: attempt)
        case .status(let status): .state(WiFiDeviceState(status))
        case .statusFailed(.timeout): .stateFailed(.noAnswer)
        case .statusFailed(let failure): .stateFailed(.request(failure))
        case .error(let report): .trouble(ReportedWiFiError(report))
        case .provisioned(.connected(let status)): .joined(WiFiDeviceState(status), isRepeated: true)
        case .provisioned(let outcome): .notJoined(WiFiError(outcome))
        case .state, .characteristics, .mtu, .fault, .sequence: nil
        }
    }
}

extension WiFiError {
    fileprivate init(_ failure: WiFiListError) {
        self =
            switch failure {
            case .timeout(let received): .listTimeout(received: received)
            case .error(let report): .reported(ReportedWiFiError(report))
            case .refused(let failure): .request(failure)
            case .disconnected: .linkLost
            }
    }

    fileprivate init(_ outcome: WiFiOutcome) {
        self =
            switch outcome {
            case .refused(let answer): .refused(WiFiAnswer(answer), code: answer.rawValue)
            case .failed(let report?), .notAcknowledged(let report?): .reported(ReportedWiFiError(report))
            case .failed(nil), .connected: .couldNotJoin
            case .notAcknowledged(nil): .notAcknowledged
            case .noResult: .noResult
            case .writeFailed(let failure): .request(failure)
            case .disconnected: .linkLost
            }
    }
}
