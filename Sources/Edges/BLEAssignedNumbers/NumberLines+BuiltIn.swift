// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)

import CAssignedNumbers

extension NumberLines {
    /// Does something with the text, which is a part of the program.
    static func withText<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
        body(
            UnsafeBufferPointer(start: lantern_assigned_numbers(), count: lantern_assigned_numbers_count())
                .span)
    }
}

#endif
