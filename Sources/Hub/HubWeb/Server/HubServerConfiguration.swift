// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NIOCore
import NIOPosix

/// How a hub's pages are reached.
public struct HubServerConfiguration: Sendable {
    /// The files of a certificate.
    public struct Certificate: Hashable, Sendable {
        /// The certificate with those above it, as PEM.
        public var certificate: String
        /// Its key, as PEM.
        public var key: String

        /// Takes the files.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The address on which it listens: a number or a name.
    public var host: String
    /// The port; 0 for any that is free.
    public var port: Int
    /// The certificate; `nil` to listen unencrypted.
    public var certificate: Certificate?
    /// Names by which it may be called, beyond its addresses and `localhost`.
    public var names: [String]
    /// Proxies in front of it, whose word for who has sent a request is taken.
    public var proxies = ProxyTrust()
    /// The folder of the pages; `nil` to look for it beside the program.
    public var pages: URL?
    /// The folder of the pages that need no hub, as `Scripts/build-web` makes it; `nil` to look for it beside the program.
    public var browserPages: URL?
    /// How much clients may ask for.
    var limits = ClientLimits()

    /// Makes a configuration.
    public init(
        host: String = "127.0.0.1", port: Int = 8080, certificate: Certificate? = nil, names: [String] = [],
        pages: URL? = nil
    ) {
        self.host = host
        self.port = port
        self.certificate = certificate
        self.names = names
        self.pages = pages
    }

    /// Whether only programs of this machine reach it; beyond that a token is needed.
    public var isLoopback: Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The host as the system knows it: addresses of IPv6 without brackets.
    var bareHost: String { host.trimmingCharacters(in: ["[", "]"]) }

    /// Looks for the address, so that a slip in it is known before anything else is asked.
    ///
    /// - Throws: ``HubServerError/cannotListen(address:reason:)`` when nothing is known of it.
    package func checkAddress() async throws(HubServerError) {
        guard !isLoopback else { return }
        do {
            // It asks the system and may wait for a name server: not on a thread that others need.
            _ = try await NIOThreadPool.singleton.runIfActive { [bareHost, port] in
                try SocketAddress.makeAddressResolvingHost(bareHost, port: port)
            }
        } catch {
            throw .cannotListen(address: "\(host):\(port)", reason: "nothing is known of \(host)")
        }
    }
}

/// Why a hub's pages cannot be served.
public enum HubServerError: Error, Hashable, CustomStringConvertible {
    /// It would be open to everybody.
    case tokenNeeded
    /// The address cannot be listened on.
    case cannotListen(address: String, reason: String)
    /// The certificate cannot be used.
    case badCertificate(reason: String)
    /// There are no pages.
    case noPages
    /// There are no pages that need no hub in the folder that was given for them.
    case noBrowserPages(folder: String)

    /// A sentence that says what to do.
    public var description: String {
        switch self {
        case .tokenNeeded:
            "Other machines can reach this address, so the hub needs a token first."
        case .cannotListen(let address, let reason):
            "The hub cannot listen on \(address): \(reason). Choose another address with --listen."
        case .badCertificate(let reason):
            "The certificate cannot be used: \(reason). Give a PEM file of the certificate and one of its key."
        case .noBrowserPages(let folder):
            "There are no pages in \(folder). Make them with Scripts/build-web, or leave --browser-pages out."
        case .noPages:
            "The pages are not beside the program. Install the package again."
        }
    }
}
