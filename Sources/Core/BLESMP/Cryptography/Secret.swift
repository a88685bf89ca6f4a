// SPDX-License-Identifier: Apache-2.0

/// A number on the heap that is overwritten before its memory is given back.
struct WipedNumber: ~Copyable, @unchecked Sendable {
    // Unchecked: nothing is written between init and deinit.
    private let place: UnsafeMutablePointer<SMP.UInt256>

    init(_ value: SMP.UInt256) {
        unsafe place = .allocate(capacity: 1)
        unsafe place.initialize(to: value)
    }

    deinit {
        unsafe wipe(place)
        unsafe place.deallocate()
    }

    var value: SMP.UInt256 { unsafe place.pointee }
}

/// Overwrites a number with zeros.
///
/// The optimiser would drop a store that nothing reads; of a function that it may neither look into nor inline it cannot know
/// that. `@_optimize(none)` is the only such fence that Swift has without C.
@inline(never)
@_optimize(none)
package func wipe(_ place: UnsafeMutablePointer<SMP.UInt256>) {
    unsafe place.pointee = SMP.UInt256(0, 0)
}

/// Whether two numbers are equal, in a time that does not tell where they differ.
@inline(never)
package func isSame(_ a: UInt128, _ b: UInt128) -> Bool {
    let difference = a ^ b
    return UInt64(truncatingIfNeeded: difference) | UInt64(truncatingIfNeeded: difference &>> 64) == 0
}

extension SMP {
    /// A key, or another number that nobody else may know.
    ///
    /// The number is kept once, however many hold the secret, and overwritten when the last of them lets go. A secret has no
    /// description, cannot be compared by `==`, and is no part of anything that is printed. What passes through registers
    /// and the stack while it is used is out of reach of Swift.
    public final class Secret: Sendable {
        private let number: WipedNumber

        /// Keeps a number of 256 bits.
        ///
        /// - Parameter value: The number.
        public init(_ value: UInt256) { number = WipedNumber(value) }

        /// Keeps a number of 128 bits.
        ///
        /// - Parameter value: The number.
        public convenience init(_ value: UInt128) { self.init(UInt256(0, value)) }

        /// The number itself; not to be kept anywhere else.
        public var value256: UInt256 { number.value }

        /// The lower 128 bits of the number: all of it, for a key of AES; not to be kept anywhere else.
        public var value128: UInt128 { number.value.low }

        /// Whether two secrets are the same, in a time that does not tell where they differ.
        ///
        /// - Parameter other: The other secret.
        /// - Returns: Whether they are.
        public func isSame(as other: Secret) -> Bool {
            BLESMP.isSame((value256.high ^ other.value256.high) | (value256.low ^ other.value256.low), 0)
        }
    }
}
