// SPDX-License-Identifier: Apache-2.0

import Companion
import Foundation

/// Where a hub's pages are served: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:8080` or `8080`.
struct ListenAddress: Hashable {
    /// Only programs of this machine reach it there.
    static let usual = ListenAddress(host: "127.0.0.1", port: 8080)

    /// An address or a name.
    var host: String
    /// The port; 0 for any that is free.
    var port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address.
    ///
    /// - Parameter text: What was written.
    /// - Throws: ``BadInput``.
    init(parsing text: String) throws(BadInput) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let fault = BadInput(
            "\(PrintableText.quoted(text)) is not an address to listen at: write it as 127.0.0.1:8080 or [::1]:8080."
        )
        guard let last = parts.last, let port = Int(last), (0...65535).contains(port) else { throw fault }
        let host = parts.dropLast().joined(separator: ":")
        if parts.count > 2, !(host.hasPrefix("[") && host.hasSuffix("]")) { throw fault }
        if parts.count == 2, host.isEmpty { throw fault }
        self.init(host: host.isEmpty ? Self.usual.host : host, port: port)
    }

    /// As people write it in a browser, when it is there.
    ///
    /// - Parameters:
    ///   - port: The port that it has become.
    ///   - isEncrypted: Whether it is encrypted.
    /// - Returns: The address.
    func url(port: Int, isEncrypted: Bool) -> String {
        // Nobody can go to an address that stands for all.
        let name = ["0.0.0.0", "[::]"].contains(host) ? HubMachine.name : host
        return "\(isEncrypted ? "https" : "http")://\(name):\(port)/"
    }
}

extension ListenAddress {
    /// An address whose port is not in use now.
    ///
    /// - Parameter preferred: The address that is taken when its port is free.
    /// - Returns: The address; with port 0, which stands for any that is free, when it is not.
    static func free(beginningWith preferred: ListenAddress) -> ListenAddress {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return preferred }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(preferred.port).bigEndian
        address.sin_addr.s_addr = inet_addr(preferred.host)
        let result = withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 ? preferred : ListenAddress(host: preferred.host, port: 0)
    }
}
