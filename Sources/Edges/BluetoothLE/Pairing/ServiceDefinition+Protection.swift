// SPDX-License-Identifier: Apache-2.0

extension GATT.ServiceDefinition {
    /// The service with all its values protected.
    ///
    /// - Parameter level: What a link must be at least before they may be read, written or subscribed to.
    /// - Returns: The service; what was protected better stays so.
    package func protected(_ level: SecurityLevel) -> GATT.ServiceDefinition {
        guard level > .none else { return self }
        var service = self
        for index in service.characteristics.indices {
            let access = service.characteristics[index].access
            service.characteristics[index].access = GATT.Access(
                read: max(access.read, level), write: max(access.write, level),
                subscribe: max(access.subscribe, level))
        }
        return service
    }
}
