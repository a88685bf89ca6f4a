// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A bus of this test alone, which ends with it.
///
/// Foundation's `Process` learns of the end of a program only when all that were started beside it have ended, too, if
/// they have inherited the descriptor by which it is told. Here that would be other buses, whose tests wait for this one.
final class PrivateBus {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")

    let address: String
    private var process: pid_t
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
        process = try Self.start(
            ["/usr/bin/dbus-daemon", "--config-file=\(file.path)", "--nofork", "--print-address"],
            output: output.fileHandleForWriting.fileDescriptor)
        try output.fileHandleForWriting.close()
        // It prints the address when it listens.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.split(separator: "\n").first.map { String($0) } ?? ""
    }

    /// Starts a program that has its output, and no descriptor else.
    private static func start(_ words: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        for other in 3..<Int32(min(4096, sysconf(Int32(_SC_OPEN_MAX)))) {
            posix_spawn_file_actions_addclose(&actions, other)
        }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var (process, noEnvironment) = (pid_t(0), [UnsafeMutablePointer<CChar>?.none])
        let status = posix_spawn(&process, words[0], &actions, nil, &arguments, &noEnvironment)
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOENT) }
        return process
    }

    /// Ends the bus and waits until it is gone.
    func end() {
        guard process > 0 else { return }
        // What a thread of Swift's tasks starts has SIGTERM blocked.
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        process = 0
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { end() }
}
