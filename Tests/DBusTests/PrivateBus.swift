// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A bus of this test alone, which ends with it.
final class PrivateBus {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")

    let address: String
    private let process = Process()
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("socket").path
        let configuration = """
            <busconfig><type>session</type><listen>unix:path=\(path)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy>
            </busconfig>
            """
        let file = folder.appendingPathComponent("bus.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        process.arguments = ["--config-file=\(file.path)", "--nofork", "--print-address"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It prints the address when it listens.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.split(separator: "\n").first.map { String($0) } ?? ""
    }

    /// Ends the bus and waits until it is gone.
    func end() {
        // What a thread of Swift's tasks starts has SIGTERM blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { if process.isRunning { end() } }
}
