// SPDX-License-Identifier: Apache-2.0

import BLEHCI
public import BLEWire

/// What is wanted of advertising, and what the controller was told.
struct Advertiser {
    var parameters: AdvertisingParameters?
    /// Whether the controller was told to advertise.
    var isOn = false
    /// Whether the application knows that what it wanted last is done.
    var isTold = false
}

extension HostStack {
    /// Advertises until ``stopAdvertising(at:)``; goes on after a central has connected.
    ///
    /// Ends with `advertisingStarted` or `advertisingFailed`, also when it changes what is on the air.
    ///
    /// - Parameters:
    ///   - parameters: How and what to advertise.
    ///   - now: The moment.
    public mutating func startAdvertising(_ parameters: AdvertisingParameters, at now: HostInstant) {
        guard isReady else {
            tell(.advertisingFailed(.commandDisallowed))
            return
        }
        guard let data = HCI.LESetAdvertisingData(data: parameters.data),
            let response = HCI.LESetScanResponseData(data: parameters.scanResponse)
        else {
            tell(.advertisingFailed(.invalidHCICommandParameters))
            return
        }
        if advertiser.isOn { switchAdvertising(on: false, at: now) }
        advertiser.parameters = parameters
        advertiser.isTold = false
        command(
            HCI.LESetAdvertisingParameters(
                intervalMin: parameters.interval, intervalMax: parameters.interval,
                type: parameters.isConnectable
                    ? .connectableUndirected
                    : parameters.scanResponse.isEmpty ? .nonConnectableUndirected : .scannableUndirected,
                ownAddressType: ownAddressType, peerAddress: BluetoothAddress(0, .public),
                channelMap: .all, filterPolicy: .all), at: now)
        command(data, at: now)
        command(response, at: now)
        resumeAdvertising(at: now)
        pump(at: now)
    }

    /// Advertises no more.
    ///
    /// - Parameter now: The moment.
    public mutating func stopAdvertising(at now: HostInstant) {
        guard isReady, advertiser.parameters != nil else { return }
        let wasOn = advertiser.isOn
        advertiser = Advertiser()
        if wasOn { switchAdvertising(on: false, at: now) }
        pump(at: now)
    }

    /// Advertises again, if that is wanted and there is room for another central.
    mutating func resumeAdvertising(at now: HostInstant) {
        let centrals = links.count { $0.role == .peripheral }
        guard advertiser.parameters != nil, !advertiser.isOn, centrals < configuration.maximumCentrals
        else { return }
        switchAdvertising(on: true, at: now)
    }

    private mutating func switchAdvertising(on: Bool, at now: HostInstant) {
        advertiser.isOn = on
        command(HCI.LESetAdvertisingEnable(enable: on), at: now)
    }

    mutating func advertisingCommandCompleted(
        _ request: HCI.CommandQueue.Request, _ status: HCI.Status, at now: HostInstant
    ) {
        let enables = request.opcode == .leSetAdvertisingEnable && request.parameters.first == 1
        let disables = request.opcode == .leSetAdvertisingEnable && !enables
        guard !disables, advertiser.parameters != nil else { return }
        if status == .success {
            // With as many centrals as are wanted, it is switched on only when one of them leaves.
            if enables || (request.opcode == .leSetScanResponseData && !advertiser.isOn) {
                tellAdvertisingStarted()
            }
        } else if enables, links.contains(where: { $0.role == .peripheral }) {
            // A controller that cannot advertise beside a link tries again when the link is gone.
            advertiser.isOn = false
            tellAdvertisingStarted()
        } else {
            // What was refused must not go on the air, in case the next command was accepted.
            if !enables { switchAdvertising(on: false, at: now) }
            advertiser = Advertiser()
            tell(.advertisingFailed(status))
        }
    }

    private mutating func tellAdvertisingStarted() {
        guard !advertiser.isTold else { return }
        advertiser.isTold = true
        tell(.advertisingStarted)
    }
}
