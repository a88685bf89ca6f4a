// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import CompanionCore
import CompanionText
import HubModel

extension Engine {
    func beginWiFi(_ request: EngineRequest, _ id: Int) throws(HubError) {
        let device = try takeForJob(id)
        let wifi = jobs.beginWiFi(device, services: devices.services(id), at: moment)
        run(wifi)
        followJobs()
        answer(request.id) { wifi.machine.setup.write(into: &$0) }
    }

    func performWiFi(_ request: EngineRequest, _ verb: String?, _ id: Int64?) throws(HubError) {
        guard let wifi = try job(id, isUsed: request.method == "POST").wifi else { throw .noJob }
        let moment = moment
        switch (request.method, verb) {
        case ("GET", nil):
            return answer(request.id) { json in
                json.object { json in
                    json.key("setup")
                    wifi.machine.setup.write(into: &json)
                    json.key("networks")
                    json.array { json in
                        for network in wifi.machine.networks { WiFiNetworkJSON(network).write(into: &json) }
                    }
                    json.field("hidden", wifi.machine.hiddenCount)
                }
            }
        case ("POST", "networks"):
            try wifi.update { machine throws(HubError) in try machine.list(at: moment) }
        case ("POST", "identify"):
            try wifi.update { machine throws(HubError) in try machine.identify(at: moment) }
        case ("POST", "credentials"):
            guard let octets = request.text("ssid_octets").flatMap({ [UInt8](hexadecimal: $0) }),
                let password = request.text("password")
            else { throw .badValue("Say which network, and its password.") }
            let securities = NetworkSecurity.allCases.map { $0.rawValue }
            let word = try HubError.word("security", of: securities, in: request.body)
            let security = word.flatMap { NetworkSecurity(rawValue: $0) }
            let secret = WiFiSecret(ssid: WireText(octets), password: Array(password.utf8))
            try wifi.update { machine throws(HubError) in
                try machine.send(secret, security, at: moment)
            }
        default: throw .noJob
        }
        followJobs()
        answer(request.id) { wifi.machine.setup.write(into: &$0) }
    }
}
