// SPDX-License-Identifier: Apache-2.0

/// Why a request is not what its declaration says: a status of HTTP and a sentence for a person.
package struct RequestFault: Error, Hashable, Sendable {
    /// The status that a hub answers with.
    package let status: Int
    /// What is wrong and what to do.
    package let detail: String

    /// Makes a fault.
    package init(_ status: Int, _ detail: String) { (self.status, self.detail) = (status, detail) }

    /// What cannot be a number of something is the number of nothing.
    package static let nothingHere = RequestFault(404, "There is nothing at this address.")

    /// Something is at this address, but not for this method.
    ///
    /// - Parameter methods: Those that there are.
    package static func wrongMethod(_ methods: [String]) -> RequestFault {
        RequestFault(405, "Here one can only \(methods.joined(separator: ", ")).")
    }
}
