// SPDX-License-Identifier: Apache-2.0

/// Why a hub does not do what it was asked; each with a sentence that a person understands.
public enum HubError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such thing, or no more.
    case notFound(String)
    /// It cannot be done as things are now.
    case notNow(String)
    /// Somebody else was faster.
    case changedMeanwhile
    /// What was asked for makes no sense.
    case badValue(String)
    /// Somebody has to say first that it is meant.
    case notConfirmed(String)
    /// The device did not answer in time.
    case noAnswer(String)
    /// The database could not do it.
    case store(StoreError)

    /// Makes a fault of what the database could not do.
    public init(_ error: StoreError) {
        switch error {
        case .conflict: self = .changedMeanwhile
        case .tooMuch(let reason): self = .badValue("That is too much: \(reason).")
        default: self = .store(error)
        }
    }

    /// A sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .notFound(let sentence), .notNow(let sentence), .badValue(let sentence),
            .noAnswer(let sentence), .notConfirmed(let sentence):
            sentence
        case .changedMeanwhile: StoreError.conflict.description
        case .store(let error): error.description
        }
    }

    package static let noDevice = HubError.notFound(
        "There is no such device any more. It was not heard for a while.")
    package static let noSource = HubError.notFound(
        "There is no such source. It may have been deleted.")
    package static let noSave = HubError.notFound(
        "There is no such saved device. It may have been deleted.")
    package static let noJob = HubError.notFound("This has ended. Start it again.")
}
