// SPDX-License-Identifier: Apache-2.0

package import CommandIO
import Companion
import Detections
package import FlockFinder

extension SignatureTable {
    /// The table of a file, or the one that is built in.
    ///
    /// - Parameter path: The file; `nil` is the one that is built in.
    /// - Returns: The table.
    /// - Throws: ``CommandError`` of wrong usage that says what to mend.
    package static func given(_ path: String?) throws(CommandError) -> SignatureTable {
        guard let path else { return .builtIn }
        let octets = try InputFile.contents(of: path, atMost: SignatureFile.limit)
        do throws(JSONDecodingError) {
            return try SignatureFile.table(octets)
        } catch {
            throw .wrongUsage(
                "\(path.shortenedPath), \(error.place): \(error.reason). Nothing of the table is used.")
        }
    }
}
