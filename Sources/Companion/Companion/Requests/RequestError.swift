// SPDX-License-Identifier: Apache-2.0

/// Why a request is refused: a status of HTTP and a sentence for a person.
package struct RequestError: Error, Hashable, Sendable {
    /// The status that a hub answers with.
    package let status: Int
    /// What is wrong and what to do.
    package let detail: String

    /// Makes a fault.
    package init(_ status: Int, _ detail: String) { (self.status, self.detail) = (status, detail) }

    /// What a hub refuses, and a page in the same words.
    package init(_ fault: HubError) {
        let status =
            switch fault {
            case .notFound: 404
            case .notNow, .noAnswer: 409
            case .changedMeanwhile: 412
            case .badValue: 422
            case .notConfirmed: 428
            case .store: 503
            }
        self.init(status, fault.description)
    }

    /// What cannot be a number of something is the number of nothing.
    package static let nothingHere = RequestError(404, "There is nothing at this address.")

    /// Something is at this address, but not for this method.
    ///
    /// - Parameter methods: Those that there are.
    /// - Returns: The fault.
    package static func wrongMethod(_ methods: [String]) -> RequestError {
        RequestError(405, "Here one can only \(methods.joined(separator: ", ")).")
    }
}
