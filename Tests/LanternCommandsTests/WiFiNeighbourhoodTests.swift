// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BLEWire
import Companion
import Testing
import WiFiSet
import WiFiSetCompanion
import WiFiSetSimulated

@testable import CommandIO
@testable import FlockFinderCommands
@testable import WiFiSetCommands

@Suite("The file of a simulated neighbourhood")
struct WiFiNeighbourhoodTests {
    static func read(_ text: String) throws -> WiFiNeighbourhood {
        try WiFiNeighbourhood(json: Array(text.utf8))
    }

    @Test func theFormOfTheIssueIsUnderstood() throws {
        let read = try Self.read(
            """
            {"networks":[
              {"ssid":"Home","password":"lantern-home","security":"wpa2","rssi":-50,"channel":6,
               "join_seconds":1.5,"fault":null},
              {"ssid":"Café","password":null,"security":"open","rssi":-128,"channel":1,"join_seconds":0,
               "fault":"wrong_password"},
              {"ssid":"Slow","password":"","security":"wpa3","rssi":127,"channel":14,"join_seconds":40,
               "fault":"no_answer"},
              {"ssid":"Full","password":"x","security":"wep","rssi":-1,"channel":2,"join_seconds":1,"fault":"storage"}
            ]}
            """)
        #expect(read.networks.map(\.name) == ["Home", "Café", "Slow", "Full"])
        #expect(read.networks.map(\.password) == [Array("lantern-home".utf8), nil, [], [0x78]])
        #expect(read.networks.map(\.network.security) == [.wpa2, .open, .wpa3, .wep])
        #expect(read.networks.map(\.network.rssi) == [-50, -128, 127, -1])
        #expect(read.networks.map(\.network.channel) == [6, 1, 14, 2])
        #expect(read.networks.map(\.joinMilliseconds) == [1500, 0, 40_000, 1000])
        #expect(read.networks.map(\.fault) == [nil, .wrongPassword, .noAnswer, .storage])
        #expect(read.scanMilliseconds == 1500 && !read.scanFails)
    }

    @Test func whatIsMissingIsWhatOneWouldExpect() throws {
        let read = try Self.read(
            #"{"networks":[{"ssid":"Free"},{"ssid":"Safe","password":"password"}],"scan_seconds":0.25,"#
                + #""scan_fails":true}"#)
        #expect(read.networks.map(\.network.security) == [.open, .wpa2])
        #expect(read.networks.map(\.joinMilliseconds) == [2000, 2000])
        #expect(read.scanMilliseconds == 250 && read.scanFails)
        #expect(try Self.read(#"{"networks":[]}"#).networks == [])
    }

    @Test func namesMayBeHiddenAndNeedNotBeText() throws {
        let read = try Self.read(
            #"{"networks":[{"ssid_hex":"ff00fe"},{"ssid":"Attic","hidden":true,"password":"password"}]}"#)
        #expect(read.networks[0].network.ssid.octets == [0xFF, 0x00, 0xFE])
        #expect(read.networks[1].network.isHidden && read.networks[1].name == "Attic")
    }

    static let faults: [(String, Int, String)] = [
        ("", 1, "ends too early"),
        ("[]", 1, "object"),
        ("{}", 1, "networks"),
        (#"{"networks":{}}"#, 1, "array"),
        ("{\"networks\":[\n{\"ssid\":\"a\"},\n7]}", 3, "object"),
        ("{\"networks\":[\n{\"ssid\":\"a\"}\n{\"ssid\":\"b\"}]}", 3, "comma"),
        ("{\"networks\":[\n\n{}]}", 3, "ssid"),
        ("{\"networks\":[\n{\"ssid\":\"a\",\n\"pasword\":\"b\"}]}", 3, "pasword"),
        ("{\"networks\":[\n{\"ssid\":\"a\",\n\"ssid_hex\":\"61\"}]}", 2, "not both"),
        ("{\"networks\":[{\"ssid\":5}]}", 1, "text"),
        ("{\"networks\":[{\"ssid\":\"" + String(repeating: "é", count: 17) + "\"}]}", 1, "this one has 34"),
        ("{\"networks\":[{\"ssid_hex\":\"6\"}]}", 1, "hex"),
        ("{\"networks\":[{\"ssid_hex\":\"" + String(repeating: "61", count: 33) + "\"}]}", 1, "33 octets"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"security\":\"wpa9\"}]}", 2, "wpa2_enterprise"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"fault\":\"fire\"}]}", 2, "no_answer"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"rssi\":128}]}", 2, "-128 to 127"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"rssi\":-1.5}]}", 2, "-128 to 127"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"channel\":256}]}", 2, "0 to 255"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"join_seconds\":-1}]}", 2, "0 to 86400"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"join_seconds\":1e99}]}", 2, "0 to 86400"),
        ("{\"networks\":[{\"ssid\":\"a\",\n\"hidden\":1}]}", 2, "true or false"),
        (
            "{\"networks\":[{\"ssid\":\"a\",\"password\":\"" + String(repeating: "x", count: 64) + "\"}]}", 1,
            "63 octets"
        ),
        ("{\"networks\":[],\n\"scan\":1}", 2, "scan_seconds"),
    ]

    @Test(arguments: faults)
    func aFaultNamesItsLineAndWhatWouldBeRight(text: String, line: Int, reason: String) {
        let fault = #expect(throws: JSONDecodingError.self) { try Self.read(text) }
        #expect(fault?.line == line)
        #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "")")
    }

    @Test func aBadFileIsWrongUsageThatNamesFileAndLine() throws {
        let file = try TemporaryFile("{\"networks\":[\n{}]}")
        let bad = #expect(throws: CommandError.self) { try WiFiNeighbourhood(path: file.path) }
        #expect(bad?.status == .wrongUsage)
        #expect(bad?.sentence.contains("Line 2 of \(file.path)") == true)
        let missing = #expect(throws: CommandError.self) { try WiFiNeighbourhood(path: "/no/such/file") }
        #expect(missing?.status == .wrongUsage && missing?.sentence.contains("/no/such/file") == true)
    }

    @Test func networksAreForTheWiFiSetDeviceOnly() {
        let error = #expect(throws: (any Error).self) {
            try FlockFinderRunCommand.parse(["--networks", "a.json"])
        }
        if let error { #expect(FlockFinderRunCommand.exitCode(for: error) == .validationFailure) }
    }

    @Test func theNeighbourhoodOfDevicesThatAreGivenNoneHasSomethingOfEverything() {
        let networks = SimulatedWiFiStation.neighbourhood
        #expect(Set(networks.map(\.network.security)) == Set(WiFiSecurity.known))
        #expect(networks.contains { $0.network.isHidden && !$0.name.isEmpty })
        #expect(networks.contains { $0.network.ssid.validString == nil })
        #expect(Set(networks.map(\.name)).count < networks.count)
        // Whoever tries the documented passwords must get in.
        for network in networks where network.network.security != .wpa2Enterprise && network.fault == nil {
            let secret = WiFiSecret(ssid: network.name, password: network.password ?? [])
            let security = HeardNetwork(network.network).security
            #expect(throws: Never.self) { try secret.check(for: security, carriesKeys: false) }
        }
    }
}
