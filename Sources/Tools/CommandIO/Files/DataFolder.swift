// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder in which Lantern keeps what it has learnt.
///
/// Spec: XDG Base Directory Specification, 0.8.
package enum DataFolder {
    /// The folder: `$XDG_DATA_HOME/lantern`, by default `~/.local/share/lantern`.
    package static var path: String { path(environment: ProcessInfo.processInfo.environment) }

    /// The database that commands use when none is named.
    package static var database: String { path + "/lantern.sqlite" }

    package static func path(environment: [String: String]) -> String {
        path(environment, "XDG_DATA_HOME", ".local/share")
    }

    /// The folder for what is no great loss: `$XDG_STATE_HOME/lantern`, by default `~/.local/state/lantern`.
    package static func state(environment: [String: String]) -> String {
        path(environment, "XDG_STATE_HOME", ".local/state")
    }

    private static func path(_ environment: [String: String], _ name: String, _ usual: String) -> String {
        // The specification wants a relative path to be ignored.
        if let folder = environment[name], folder.hasPrefix("/") { return folder + "/lantern" }
        let home = environment["HOME"] ?? ""
        return (home.hasPrefix("/") ? home : NSHomeDirectory()) + "/\(usual)/lantern"
    }

    /// Makes a folder, readable by its owner only, unless it is there.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``CommandError``.
    package static func create(_ path: String) throws(CommandError) {
        // Each folder on the way by itself: Foundation's errors do not say which could not be made, and why.
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = String(cString: strerror(errno))
            throw .failed("The folder \(made) cannot be made: \(reason). Name a file with --database.")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .failed("\(path) is not a folder. Name a file with --database.")
        }
    }

    /// A path as people write it, with `~` for the home folder.
    package static func abbreviated(_ path: String) -> String {
        guard let home = ProcessInfo.processInfo.environment["HOME"], home.count > 1,
            path.hasPrefix(home + "/")
        else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
