// SPDX-License-Identifier: Apache-2.0

import CompanionDevices
import CompanionHub
import Foundation

/// The machine that a hub runs on.
enum HubMachine {
    /// What it is called, without a domain.
    static var name: String {
        var octets = [CChar](repeating: 0, count: 256)
        guard gethostname(&octets, octets.count - 1) == 0 else { return "hub" }
        let name = String(decoding: octets.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.split(separator: ".").first.map(String.init) ?? "hub"
    }

    /// Shows a page to the person who sits at the machine, if anybody does.
    ///
    /// - Parameter url: The page.
    static func open(_ url: String) {
        #if canImport(Darwin)
        let candidates = ["/usr/bin/open"]
        let hasDisplay = true
        #else
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let candidates = folders.map { "\($0)/xdg-open" }
        let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        #endif
        guard hasDisplay, isatty(STDOUT_FILENO) == 1,
            let program = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) })
        else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url]
        // What a browser prints is not ours.
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // The address was printed, so that one that does not start is no loss.
        try? process.runWithSignals()
    }
}

/// What the hub tells the program that has started it.
///
/// Spec: sd_notify(3) and sd_watchdog_enabled(3) of systemd.
struct ServiceNotifier: Sendable {
    private let path: String?
    /// How often it wants to hear that the hub is alive; `nil` when it does not.
    let interval: Duration?

    /// Takes what the environment says.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = environment["NOTIFY_SOCKET"]
        let isMine = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        interval = isMine && limit > 0 ? .microseconds(limit / 2) : nil
    }

    /// Sends a word such as `READY=1`.
    func send(_ text: String) {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return }
        #if canImport(Darwin)
        let kind = SOCK_DGRAM
        #else
        let kind = Int32(SOCK_DGRAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var octets = Array(path.utf8)
        guard octets.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // A name that is no file begins with a zero.
        if octets[0] == UInt8(ascii: "@") { octets[0] = 0 }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        withUnsafeMutableBytes(of: &address) {
            unsafe $0.baseAddress?.advanced(by: offset).copyMemory(from: octets, byteCount: octets.count)
        }
        let length = socklen_t(offset + octets.count)
        let message = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, message, message.count, 0, address, length)
            }
        }
    }

    /// Says that the hub is alive, as long as it answers, until the task is cancelled.
    ///
    /// - Parameter body: Waits for the hub to answer.
    func keepAlive(_ body: () async -> Void) async {
        guard let interval else { return }
        while !Task.isCancelled {
            await body()
            send("WATCHDOG=1")
            // An error says that the task is cancelled.
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }
}
