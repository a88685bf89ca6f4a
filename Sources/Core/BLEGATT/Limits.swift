// SPDX-License-Identifier: Apache-2.0

extension GATT {
    /// How much the two ends of a bearer keep at most.
    ///
    /// What a peer sends beyond it is refused or closes the bearer; what this side asks for beyond it is turned away.
    public struct Limits: Hashable, Sendable {
        /// Operations of this side's client that may wait for their turn.
        public var operations: Int
        /// Requests of a client that may wait while the session is asked for a value: it should not send more than one.
        public var requests: Int
        /// Indications of this side's server that may wait for their turn.
        public var indications: Int
        /// Parts of prepared writes that may wait; a value of 512 octets at the smallest MTU makes 29.
        public var preparedParts: Int
        /// Octets that may wait in all parts together.
        public var preparedOctets: Int

        /// Makes a set of limits; what is below 0 counts as 0.
        public init(
            operations: Int = 256, requests: Int = 4, indications: Int = 32, preparedParts: Int = 64,
            preparedOctets: Int = 1024
        ) {
            self.operations = operations
            self.requests = requests
            self.indications = indications
            self.preparedParts = preparedParts
            self.preparedOctets = preparedOctets
        }
    }
}
