// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion
import ImprovCompanion
import Testing
import WiFiSetCompanion

/// Giving a device its Wi-Fi, without a device and without a person.
@Suite struct WiFiProvisioningTests {
    static let device = WiFiDevice(
        Peer(BluetoothAddress(0xC0FF_EE00_0001, kind: .random)), name: "Lamp", mtu: 247, kind: .wifiSet)
    static let home = HeardNetwork(ssid: "Home", rssi: -48, security: .wpa2)
    static let cafe = HeardNetwork(ssid: "Café", rssi: -60, security: .open)
    static let office = HeardNetwork(ssid: "Office", rssi: -50, security: .wpa2Enterprise)
    static let hidden = HeardNetwork(ssid: "", rssi: -20, security: .wpa2)
    static let password = Array("correct horse".utf8)
    static let joined = WiFiDeviceState(.connected, code: 3, ssid: "Home")

    private func machine(
        _ network: HeardNetwork? = nil, _ password: [UInt8]? = nil, confirms: Bool = true, canAsk: Bool = true
    ) -> WiFiProvisioning {
        WiFiProvisioning(
            Self.device, network: network, password: password, confirms: confirms, canAsk: canAsk)
    }

    private func steps(_ machine: inout WiFiProvisioning) -> [WiFiProvisioning.Step] {
        var steps: [WiFiProvisioning.Step] = []
        while let step = machine.nextStep() { steps.append(step) }
        return steps
    }

    @Test func fromTheListToTheJoin() {
        var machine = machine()
        #expect(steps(&machine) == [.list])
        machine.listed([Self.cafe, Self.home])
        #expect(steps(&machine) == [.ask(.network([Self.home, Self.cafe]))])
        machine.answer(.network(0))
        #expect(steps(&machine) == [.ask(.password(Self.home))])
        machine.answer(.password(Self.password))
        #expect(steps(&machine) == [.ask(.confirmation(ssid: "Home", Self.device))])
        machine.answer(.yes)
        #expect(steps(&machine) == [.send(WiFiSecret(ssid: "Home", password: Self.password))])
        machine.joined(Self.joined)
        #expect(steps(&machine) == [.end(.joined(Self.joined))])
    }

    @Test func aDeviceThatTakesNoCredentialsIsSentNone() {
        var device = Self.device
        device.state = WiFiDeviceState(.stopped, code: 0)
        for network in [nil, Self.home] {
            var machine = WiFiProvisioning(
                device, network: network, password: Self.password, confirms: false, canAsk: true)
            #expect(steps(&machine) == [.end(.notJoined(.stopped, .empty))])
        }
    }

    @Test func withEverythingGivenNobodyIsAsked() {
        var machine = machine(Self.home, Self.password, confirms: false, canAsk: false)
        #expect(steps(&machine) == [.send(WiFiSecret(ssid: "Home", password: Self.password))])
        machine.notJoined(.couldNotJoin)
        #expect(steps(&machine) == [.end(.notJoined(.couldNotJoin, .plain))])
    }

    @Test func anOpenNetworkHasNoPassword() {
        var machine = machine(Self.cafe, Self.password, confirms: false, canAsk: false)
        #expect(steps(&machine) == [.list])
        machine.listed([Self.home, Self.cafe])
        #expect(steps(&machine) == [.send(WiFiSecret(ssid: "Café", password: []))])
        machine.notJoined(.couldNotJoin)
        #expect(steps(&machine) == [.end(.notJoined(.couldNotJoin, .empty))])
    }

    @Test func anotherTryAsksForAnotherPasswordAndForNoSecondConfirmation() {
        var machine = machine(Self.home)
        machine.answer(.password(Self.password))
        machine.answer(.yes)
        machine.notJoined(.couldNotJoin)
        #expect(steps(&machine).last == .ask(.another(.couldNotJoin, Self.home, .plain)))
        machine.answer(.yes)
        #expect(steps(&machine) == [.ask(.password(Self.home))])
        machine.answer(.password(Array("another one".utf8)))
        #expect(steps(&machine) == [.send(WiFiSecret(ssid: "Home", password: Array("another one".utf8)))])
        machine.notJoined(.linkLost)
        #expect(steps(&machine) == [.end(.notJoined(.linkLost, .plain))])
    }

    @Test func whatAPasswordHasIsKnownAfterItWasSent() {
        let password = Array("Anna\u{2019}s lamp".utf8)
        var machine = machine(Self.home, password, confirms: false)
        machine.notJoined(.couldNotJoin)
        #expect(steps(&machine).last == .ask(.another(.couldNotJoin, Self.home, .typographic)))
        machine.answer(.no)
        #expect(steps(&machine) == [.end(.notJoined(.couldNotJoin, .typographic))])
    }

    @Test(arguments: [
        ("", WiFiPasswordKind.empty), ("Anna's \"lamp\" - one", .plain), ("Stra\u{DF}e \u{20AC}5", .plain),
        ("\u{2018}a", .typographic), ("a\u{2019}", .typographic), ("\u{201C}a", .typographic),
        ("a\u{201D}", .typographic), ("\u{201E}a", .typographic), ("a\u{2013}b", .typographic),
        ("a\u{A0}b", .typographic), ("a\u{202F}b", .typographic),
    ])
    func whatPhonesPutIntoAPasswordIsKnown(password: String, kind: WiFiPasswordKind) {
        #expect(WiFiSecret(ssid: "a", password: Array(password.utf8)).passwordKind == kind)
        // Cut within a character, as nobody types it.
        let cut = WiFiSecret(ssid: "a", password: Array(password.utf8) + [0xE2, 0x80])
        #expect(cut.passwordKind == (kind == .empty ? .plain : kind))
    }

    @Test func anotherNetworkBeginsWithTheList() {
        var machine = machine(Self.home, Self.password, confirms: false)
        machine.notJoined(.noResult)
        machine.answer(.lookAgain)
        #expect(steps(&machine).last == .list)
    }

    @Test func enterpriseIsRefusedAndTheQuestionComesAgain() {
        var machine = machine()
        machine.listed([Self.office])
        machine.answer(.network(0))
        #expect(
            steps(&machine).suffix(2) == [.explain(.fault(.enterprise)), .ask(.network([Self.office]))])
        machine.answer(.network(7))
        #expect(steps(&machine) == [.explain(.unclear), .ask(.network([Self.office]))])
        machine.answer(.nobody)
        #expect(steps(&machine) == [.end(.noNetwork)])
    }

    // MARK: A network that was named

    static let named = HeardNetwork(ssid: "Home", security: .unknown)

    @Test func aNamedNetworkIsLookedForFirst() {
        var machine = machine(Self.named, Self.password, confirms: false, canAsk: false)
        #expect(steps(&machine) == [.list])
        machine.listed([Self.cafe, Self.home])
        #expect(steps(&machine) == [.send(WiFiSecret(ssid: "Home", password: Self.password))])
    }

    @Test func aNamedEnterpriseNetworkIsRefusedBeforeAnythingIsSent() {
        let office = HeardNetwork(ssid: "Office", security: .unknown)
        for canAsk in [true, false] {
            var machine = machine(office, Self.password, confirms: false, canAsk: canAsk)
            machine.listed([Self.home, Self.office])
            #expect(steps(&machine) == [.list, .end(.fault(.enterprise))])
        }
    }

    @Test func aNetworkThatIsSaidToBeOpenIsLookedForToo() {
        let office = HeardNetwork(ssid: "Office", security: .open)
        var refused = machine(office, [], confirms: false, canAsk: false)
        refused.listed([Self.home, Self.office])
        #expect(steps(&refused) == [.list, .end(.fault(.enterprise))])
        // Others of that name, none, and no list at all: it is tried as what it is said to be.
        let lists: [[HeardNetwork]?] = [
            [HeardNetwork(ssid: "Office", rssi: -60, security: .open), Self.office],
            [HeardNetwork(ssid: "Office", rssi: -60, security: .wpa2), Self.office], [Self.home], [], nil,
        ]
        for list in lists {
            var machine = machine(office, [], confirms: false, canAsk: false)
            if let list {
                machine.listed(list)
            } else {
                let goesOn = machine.notListed()
                #expect(goesOn)
            }
            #expect(steps(&machine) == [.list, .send(WiFiSecret(ssid: "Office", password: []))])
        }
    }

    @Test func oneOfTheSameNameThatCanBeJoinedIsTaken() {
        var machine = machine(Self.named, Self.password, confirms: false)
        machine.listed([HeardNetwork(ssid: "Home", rssi: -20, security: .wpa2Enterprise), Self.home])
        #expect(steps(&machine).last == .send(WiFiSecret(ssid: "Home", password: Self.password)))
    }

    @Test func anOpenTwinTakesNoPasswordAway() {
        var machine = machine(Self.named, Self.password, confirms: false)
        machine.listed([HeardNetwork(ssid: "Home", rssi: -20, security: .open)])
        #expect(steps(&machine).last == .send(WiFiSecret(ssid: "Home", password: Self.password)))
    }

    @Test func aNamedNetworkThatIsNotHeardIsTriedAllTheSame() {
        var machine = machine(Self.named, Self.password, confirms: false)
        machine.listed([Self.cafe])
        #expect(steps(&machine).last == .send(WiFiSecret(ssid: "Home", password: Self.password)))
        var silent = self.machine(Self.named, Self.password, confirms: false)
        var goesOn = silent.notListed()
        #expect(goesOn)
        #expect(steps(&silent).last == .send(WiFiSecret(ssid: "Home", password: Self.password)))
        goesOn = silent.notListed()
        #expect(!goesOn)
    }

    @Test func aNameThatOnlyLooksAlikeIsSaid() {
        let typed: WireText = "Anna's iPhone"
        let heard: WireText = "Anna\u{2019}s iPhone"
        var machine = machine(
            HeardNetwork(ssid: typed, security: .unknown), Self.password, confirms: false, canAsk: false)
        machine.listed([Self.home, HeardNetwork(ssid: heard, security: .wpa2)])
        #expect(
            steps(&machine) == [
                .list, .explain(.alike(heard: heard, typed)),
                .send(WiFiSecret(ssid: typed, password: Self.password)),
            ])
    }

    @Test func namesThatLookAlike() {
        for (name, other) in [
            ("Anna's", "Anna\u{2019}s"), ("home", "Home"), ("Home", "Home "), ("a-b", "a\u{2013}b"),
            ("a b", "a\u{A0}b"),
        ] {
            #expect(WireText(name).looksLike(WireText(other)), "\(name), \(other)")
        }
        for (name, other) in [("Home", "Home"), ("Home", "Home2"), ("", " ")] {
            #expect(!WireText(name).looksLike(WireText(other)), "\(name), \(other)")
        }
    }

    @Test func aHiddenNetworkIsAskedForItsName() {
        var machine = machine(confirms: false)
        machine.listed([Self.hidden])
        machine.answer(.network(0))
        #expect(steps(&machine).last == .ask(.name))
        machine.answer(.name(""))
        #expect(steps(&machine) == [.explain(.fault(.ssidLength(0))), .ask(.name)])
        machine.answer(.name("Cellar"))
        machine.answer(.password(Self.password))
        #expect(steps(&machine).last == .send(WiFiSecret(ssid: "Cellar", password: Self.password)))
    }

    @Test func whatCannotBeAPasswordIsAskedForAgain() {
        var machine = machine(Self.home, confirms: false)
        machine.answer(.password(Array("short".utf8)))
        #expect(
            steps(&machine).suffix(2) == [
                .explain(.fault(.passwordTooShort(5))), .ask(.password(Self.home)),
            ])
        machine.answer(.nobody)
        #expect(steps(&machine) == [.end(.noPassword)])
    }

    @Test func whatCannotBeAPasswordEndsItWhenThereIsNobody() {
        let key = [UInt8](repeating: 0x61, count: 64)
        var machine = machine(Self.home, key, confirms: false, canAsk: false)
        #expect(steps(&machine) == [.end(.fault(.keyInsteadOfPassword))])
    }

    @Test func noIsNo() {
        for answer in [WiFiProvisioning.Answer.no, .nobody, .unclear, .lookAgain] {
            var machine = machine(Self.home, Self.password)
            machine.answer(answer)
            #expect(steps(&machine).last == .end(.notConfirmed))
            machine.answer(.yes)
            machine.joined(Self.joined)
            #expect(steps(&machine).isEmpty)
        }
    }

    @Test(arguments: [
        (NetworkSecurity.open, 0, nil), (.open, 8, WiFiSecretError.passwordForOpenNetwork),
        (.wep, 5, nil), (.wep, 13, nil), (.wep, 8, .badWEPKey(8)),
        (.wpa2, 8, nil), (.wpa2, 63, nil), (.wpa2, 7, .passwordTooShort(7)), (.wpa2, 0, .passwordMissing),
        (.wpa2, 64, .passwordTooLong(64)), (.wpa3, 8, nil), (.wpa3, 7, .passwordTooShort(7)),
        (.wpa2Enterprise, 8, .enterprise), (.unknown, 0, nil), (.unknown, 5, nil),
    ])
    func passwordsHaveRules(security: NetworkSecurity, count: Int, fault: WiFiSecretError?) throws {
        let secret = WiFiSecret(ssid: "a", password: [UInt8](repeating: 0x78, count: count))
        if let fault {
            #expect(throws: fault) { try secret.check(for: security, carriesKeys: false) }
        } else {
            try secret.check(for: security, carriesKeys: false)
        }
    }

    @Test func keysAreCarriedWhereTheProtocolCan() throws {
        let secret = WiFiSecret(ssid: "a", password: [UInt8](repeating: 0x61, count: 64))
        try secret.check(for: .wpa2, carriesKeys: true)
        #expect(throws: WiFiSecretError.keyInsteadOfPassword) {
            try secret.check(for: .wpa2, carriesKeys: false)
        }
    }
}

@Suite struct HeardNetworkTests {
    @Test func theStrongestOfEachNameComesFirstAndHiddenOnesLast() {
        func network(_ ssid: WireText, _ rssi: Int?, _ channel: UInt8 = 1) -> HeardNetwork {
            HeardNetwork(ssid: ssid, rssi: rssi, security: .wpa2, channel: channel)
        }
        let shown = HeardNetwork.arranged([
            network("b", -70), network("a", -60), network("", -30), network("b", -40, 6), network("", -20),
            network("c", nil),
        ])
        #expect(
            shown == [
                network("b", -40, 6), network("a", -60), network("c", nil), network("", -20),
                network("", -30),
            ])
    }

    @Test(arguments: [
        (-50, 4), (-51, 3), (-60, 3), (-61, 2), (-70, 2), (-71, 1), (-80, 1), (-81, 0), (127, 4), (nil, 0),
    ])
    func bars(rssi: Int?, bars: Int) { #expect(HeardNetwork(ssid: "a", rssi: rssi).bars == bars) }
}

@Suite struct WiFiEventTests {
    static let peer = Peer(BluetoothAddress(0xC0FF_EEF1_5E71, kind: .random))

    private func json(_ event: some Event) -> String {
        String(decoding: event.json(at: Timestamp(milliseconds: 0)), as: UTF8.self)
    }

    @Test func aNetworkHasItsOctetsWhateverItsNameIs() {
        let head =
            #"{"event":"wifi_network","time":"1970-01-01T00:00:00.000Z","address":"C0:FF:EE:F1:5E:71","#
            + #""address_kind":"random","#
        let home = HeardNetwork(ssid: "Home", rssi: -48, security: .wpa2, securityCode: 2, channel: 6)
        #expect(
            json(WiFiNetworkHeard(Self.peer, home))
                == head + #""ssid":"Home","ssid_octets":"486f6d65","hidden":false,"rssi":-48,"#
                + #""security":"wpa2","security_code":2,"security_name":null,"channel":6}"#)
        #expect(
            json(WiFiNetworkHeard(Self.peer, HeardNetwork(ssid: "", securityName: "NO")))
                == head + #""ssid":null,"ssid_octets":"","hidden":true,"rssi":null,"#
                + #""security":"unknown","security_code":null,"security_name":"NO","channel":null}"#)
        let odd = json(WiFiNetworkHeard(Self.peer, HeardNetwork(ssid: WireText([0xFF, 0x41]))))
        #expect(odd.contains(#""ssid":null,"ssid_octets":"ff41","hidden":false"#))
    }

    @Test func namesAreUnique() {
        let names = (WiFiEvents.all + WiFiSetEvents.all + ImprovEvents.all).map { "\($0.name)" }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("wifi") || $0.hasPrefix("improv_") })
    }
}
