// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation
import NIOSSL
import Testing

@testable import HubWeb

@Suite("A hub behind a certificate", .timeLimit(.minutes(5)))
struct EncryptionTests {
    /// A certificate of localhost that nobody trusts but these tests, and its key.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUeJNvG1ROrhCI6hAPiMvq0WyDR7AwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE3NDYxM1oYDzIxMjYxMDI5
        MTc0NjEzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATfGVFFNLmsT9gie8ktdP+cVAczTcHQ1mw/f2hSmgiZor9KcpzSy8H1
        2j6wNPj747V0wvRFok+kpvyOqzIlj7+8o2kwZzAdBgNVHQ4EFgQU6svnMapi/cn0
        o5WnyEaX+mGkdzowHwYDVR0jBBgwFoAU6svnMapi/cn0o5WnyEaX+mGkdzowDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIgXLUE55Y0kb/FTwxnRlndOF+fMNH7ZqPPPTlPUQ8fHbUCIQDszuQ5Vqnb
        l5O9pAacOwYtpFjCDdLLDoLzTzg+zUUKFg==
        -----END CERTIFICATE-----
        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIiG9KlCm2GGNkLnR
        E/4stw8QtnliRSK57erxumtmaJihRANCAATfGVFFNLmsT9gie8ktdP+cVAczTcHQ
        1mw/f2hSmgiZor9KcpzSy8H12j6wNPj747V0wvRFok+kpvyOqzIlj7+8
        -----END PRIVATE KEY-----
        """

    private static func files(_ certificate: String, _ key: String) throws
        -> HubServerConfiguration.Certificate
    {
        let folder = FileManager.default.temporaryDirectory.path + "/lantern-tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(certificate.utf8).write(to: URL(fileURLWithPath: folder + "/certificate.pem"))
        try Data(key.utf8).write(to: URL(fileURLWithPath: folder + "/key.pem"))
        return HubServerConfiguration.Certificate(
            certificate: folder + "/certificate.pem", key: folder + "/key.pem")
    }

    @Test func theWayIsEncryptedAndTheCookieStaysOnIt() async throws {
        let files = try Self.files(Self.certificate, Self.key)
        defer {
            try? FileManager.default.removeItem(atPath: (files.key as NSString).deletingLastPathComponent)
        }
        try await TestServer.run(needsLogin: true) {
            $0.certificate = files
        } _: { server in
            let (token, _) = try await server.access.makeToken()
            let trusted = try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)
            try await WebConnection.open(server.port, certificate: trusted) { connection in
                try await connection.request(
                    "POST", "/api/v1/session", headers: [("Content-Type", "application/json")],
                    body: Array(#"{"token":"\#(token)"}"#.utf8), host: "localhost")
                let answer = try await connection.answer()
                #expect(answer.status == 204)
                #expect(answer.header("set-cookie")?.hasSuffix("; Secure") == true)
            }
            // Who does not encrypt gets nothing.
            await #expect(throws: WebConnection.Fault.self) { try await server.request("GET", "/healthz") }
        }
    }

    @Test func aCertificateThatCannotBeUsedIsSaid() async throws {
        for (certificate, key) in [("", ""), ("nonsense", Self.key), (Self.certificate, "nonsense")] {
            let files = try Self.files(certificate, key)
            await #expect(throws: HubServerError.self) {
                try await TestServer.run {
                    $0.certificate = files
                } _: { _ in
                }
            }
        }
        await #expect(throws: HubServerError.self) {
            try await TestServer.run {
                $0.certificate = .init(certificate: "/nothing", key: "/nothing")
            } _: { _ in
            }
        }
    }

    @Test func aCertificateOutsideItsTimeIsSaid() async throws {
        let files = try Self.files(Self.certificate, Self.key)
        let made = try NIOSSLCertificate(bytes: Array(Self.certificate.utf8), format: .pem)
        func warning(_ seconds: Int, after start: Int) -> String? {
            files.warning(at: Timestamp(milliseconds: Int64(start + seconds) * 1000))
        }
        let (begin, end, day) = (made.notValidBefore, made.notValidAfter, 86_400)
        #expect(warning(-1, after: begin)?.contains("begins on") == true)
        #expect(warning(0, after: begin) == nil)
        #expect(warning(-14 * day, after: end) == nil)
        #expect(warning(-14 * day + 1, after: end)?.contains("ends on") == true)
        #expect(warning(0, after: end)?.contains("ends on") == true)
        #expect(warning(1, after: end)?.contains("was valid until") == true)
        // Something else says that it cannot be read.
        let none = HubServerConfiguration.Certificate(certificate: "/nothing", key: "/nothing")
        #expect(none.warning(at: Timestamp(milliseconds: 0)) == nil)
    }
}
