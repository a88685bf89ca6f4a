// SPDX-License-Identifier: Apache-2.0

public import BLEWire

/// Data that a company defines.
///
/// Spec: CSS v11, Part A, 1.4.
public struct ManufacturerData: Hashable, Sendable {
    /// The company.
    public var company: UInt16
    /// What follows the company.
    public var data: [UInt8]

    /// Makes data of a company.
    @inlinable
    public init(company: UInt16, data: [UInt8]) {
        self.company = company
        self.data = data
    }
}

/// Data that a service defines.
///
/// Spec: CSS v11, Part A, 1.11.
public struct ServiceData: Hashable, Sendable {
    /// The service.
    public var uuid: BluetoothUUID
    /// What follows the UUID.
    public var data: [UInt8]

    /// Makes data of a service.
    @inlinable
    public init(uuid: BluetoothUUID, data: [UInt8]) {
        self.uuid = uuid
        self.data = data
    }
}
