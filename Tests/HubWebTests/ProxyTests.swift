// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import HubWeb

@Suite("Whom a proxy names")
struct ProxyTests {
    private func address(_ text: String) throws -> MachineAddress { try #require(MachineAddress(text)) }

    @Test func networksAreReadAndHold() throws {
        let trust = try #require(ProxyTrust("127.0.0.1, 10.1.0.0/16,2001:db8::/33, 192.168.1.128/25"))
        for text in [
            "127.0.0.1", "::ffff:127.0.0.1", "10.1.0.0", "10.1.255.255", "2001:db8:7fff::1", "192.168.1.200",
        ] {
            #expect(trust.contains(try address(text)), "\(text)")
        }
        for text in ["127.0.0.2", "10.2.0.0", "2001:db8:8000::1", "192.168.1.127", "::1", "a01::"] {
            #expect(!trust.contains(try address(text)), "\(text)")
        }
        #expect(!trust.contains(nil))
        #expect(try #require(ProxyTrust("")).isEmpty && ProxyTrust().isEmpty)
        for text in [
            "x", "1.2.3", "1.2.3.4/33", "1.2.3.4/0", "1.2.3.4/-1", "1.2.3.4/", "::/129", "1.2.3.4/8/8",
        ] {
            #expect(ProxyTrust(text) == nil, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("198.51.100.1", "198.51.100.1"), ("198.51.100.1:80", "198.51.100.1"),
            ("[2001:db8::1]:80", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"), ("203.0.113.1, 198.51.100.1", "198.51.100.1"),
            ("203.0.113.1, 198.51.100.1, 10.0.0.1, 10.0.0.2", "198.51.100.1"), ("10.0.0.1", "10.0.0.1"),
            ("unknown", nil), ("203.0.113.1, unknown", nil), ("203.0.113.1, x, 10.0.0.1", "10.0.0.1"),
            ("", nil),
            // What a client has written may not swallow what its proxy has.
            ("[9.9.9.9]\", 198.51.100.7", "198.51.100.7"), ("9.9.9.9:\", 198.51.100.7", "198.51.100.7"),
            ("[9.9.9.9]x", nil), ("9.9.9.9:8x", nil), ("9.9.9.9:", nil), ("9.9.9.9:1234567", nil),
        ] as [(String, String?)])
    func theClientIsTheFirstThatIsNoProxy(written: String, client: String?) throws {
        let proxies = try #require(ProxyTrust("10.0.0.0/8"))
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("X-Forwarded-For"))] = written
        #expect(ForwardedRequest(headers).client(beyond: proxies) == client.flatMap { MachineAddress($0) })
    }

    @Test func bothHeadersHaveToAgree() throws {
        let (old, new) = (
            try #require(HTTPField.Name("X-Forwarded-For")), try #require(HTTPField.Name("Forwarded"))
        )
        var headers = HTTPFields()
        headers[new] = #"for="[2001:db8::1]:9"; proto=HTTPS ;host="a,b", for=198.51.100.1;by=x"#
        let one = ForwardedRequest(headers)
        #expect(one.addresses == [MachineAddress("2001:db8::1"), MachineAddress("198.51.100.1")])
        #expect(one.isEncrypted == nil && one.host == nil)
        let proxies = try #require(ProxyTrust("10.0.0.0/8"))
        #expect(!one.isAmbiguous(beyond: proxies))
        headers[old] = "198.51.100.1"
        #expect(!ForwardedRequest(headers).isAmbiguous(beyond: proxies))
        headers[old] = "198.51.100.2"
        #expect(ForwardedRequest(headers).isAmbiguous(beyond: proxies))
        // Two proxies that set Forwarded only; the client has written the other, and the last of both is the same.
        headers[new] = "for=198.51.100.1, for=10.0.0.1"
        headers[old] = "9.9.9.9, 10.0.0.1"
        #expect(ForwardedRequest(headers).isAmbiguous(beyond: proxies))
    }

    @Test func aQuotationWithoutEndIsNoAddress() throws {
        let new = try #require(HTTPField.Name("Forwarded"))
        var headers = HTTPFields()
        headers[new] = #"for=9.9.9.9;x=", for=198.51.100.1"#
        #expect(ForwardedRequest(headers).client(beyond: ProxyTrust()) == nil)
    }

    @Test(
        arguments: [
            "Via", "X-Real-IP", "CF-Ray", "CDN-Loop", "CF-Connecting-IP", "True-Client-IP", "Fly-Client-IP",
            "X-Azure-ClientIP", "X-Client-IP", "Client-IP", "X-Forward-For",
        ])
    func whatAServiceInFrontWritesTellsOfItAndNamesNobody(name: String) throws {
        var headers = HTTPFields()
        #expect(!ForwardedRequest.isMarked(headers))
        headers[try #require(HTTPField.Name(name))] = "203.0.113.9"
        #expect(ForwardedRequest.isMarked(headers))
        let forwarded = ForwardedRequest(headers)
        #expect(forwarded.addresses.isEmpty && forwarded.client(beyond: ProxyTrust()) == nil)
    }

    @Test func nobodyBehindAProxyIsOfThisMachine() throws {
        #expect(!ClientAddress(behindProxy: try address("127.0.0.1")).isLoopback)
        #expect(ClientAddress(try address("127.0.0.1")).isLoopback)
    }
}
