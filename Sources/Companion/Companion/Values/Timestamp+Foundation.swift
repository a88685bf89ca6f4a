// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)

public import Foundation

extension Timestamp {
    /// Makes a moment of a date; what is less than a millisecond is dropped.
    ///
    /// - Parameter date: The date; one beyond what 64 bits hold becomes the nearest that they do.
    public init(_ date: Date) {
        let whole = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down))
        self.init(milliseconds: whole ?? (date < Date(timeIntervalSince1970: 0) ? .min : .max))
    }
}

#endif
