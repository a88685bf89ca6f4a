// SPDX-License-Identifier: Apache-2.0

import BLEGATT
import BLEWire
import Companion
import CompanionCore
import Improv
import ImprovSimulated
import SessionTesting
import WiFiSet
import WiFiSetSimulated

typealias WiFiSetBench = JobBench<WiFiJob, WiFiSetDevice<SimulatedWiFiStation>>
typealias ImprovBench = JobBench<WiFiJob, ImprovDevice<SimulatedImprovStation>>

extension WiFiJob {
    /// A job on a device that says that it offers these services.
    static func begun(_ services: [BluetoothUUID] = []) -> Job<WiFiJob> {
        var table = JobTable.fresh
        return table.beginWiFi(.tested, services: services, at: .beginning)
    }
}

extension JobBench where Machine == WiFiJob, Device == WiFiSetDevice<SimulatedWiFiStation> {
    /// A device that has given its list of networks, unless it is to be started later.
    convenience init(
        _ networks: [SimulatedWiFiStation.Network] = SimulatedWiFiStation.neighbourhood,
        services: [BluetoothUUID] = [], isStarted: Bool = true
    ) {
        self.init(
            WiFiJob.begun(services), WiFiSetDevice(station: SimulatedWiFiStation(networks)))
        guard isStarted else { return }
        start()
        run(seconds: 2)
    }

    /// How often a link to it was opened.
    var links: Int { pair.deviceEvents.count { if case .connected = $0 { true } else { false } } }
    /// How often it was asked for its list.
    var listings: Int { pair.deviceEvents.count { if case .listRequested = $0 { true } else { false } } }
}

extension JobBench where Machine == WiFiJob, Device == ImprovDevice<SimulatedImprovStation> {
    /// A device that has given its list of networks.
    convenience init(services: [BluetoothUUID] = [ImprovUUID.service], needsAuthorization: Bool = false) {
        self.init(
            WiFiJob.begun(services),
            ImprovDevice(
                station: SimulatedImprovStation(SimulatedWiFiStation()), info: SimulatedImprov.info,
                needsAuthorization: needsAuthorization))
        start()
        run(seconds: 4)
    }

    /// How often a link to it was opened.
    var links: Int { pair.deviceEvents.count { if case .connected = $0 { true } else { false } } }
}

extension JobBench where Machine == WiFiJob, Device: ~Copyable {
    var setup: WiFiSetup { job.machine.setup }
    var networks: [FoldedNetwork] { job.machine.networks }
    var hiddenCount: Int { job.machine.hiddenCount }
    var isUnderWay: Bool { job.machine.isUnderWay }

    /// All that pages were told, as JSON.
    var told: String {
        let lines = pair.events.compactMap { output in
            if case .event(.wifi(let event)) = output {
                String(decoding: event.json(at: Moment.beginning.time), as: UTF8.self)
            } else {
                nil
            }
        }
        return lines.joined(separator: "\n")
    }

    func list() throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.list(at: moment) }
    }

    func identify() throws(HubError) {
        try ask { machine, moment throws(HubError) in try machine.identify(at: moment) }
    }

    func send(_ ssid: WireText, _ password: WireText, _ security: NetworkSecurity? = nil)
        throws(HubError)
    {
        try ask { machine, moment throws(HubError) in
            try machine.send(WiFiSecret(ssid: ssid, password: password.octets), security, at: moment)
        }
    }
}
