// SPDX-License-Identifier: Apache-2.0

public import BLEAssignedNumbers
public import BLETransport
public import BluetoothLE
public import Foundation

// What the products BluetoothLE and BLEAssignedNumbers throw.

extension BluetoothError: DescribedError {}
extension ChannelError: DescribedError {}
extension BondStoreError: DescribedError {}
extension OutOfBandData.Invalid: DescribedError {}
extension TransportError: DescribedError {}
extension AssignedNumbersError: DescribedError {}

extension AdapterError: LocalizedError {
    /// What is wrong with the adapter, and what to do.
    public var errorDescription: String? { words.asSentence }
}

extension SMP.Failure: LocalizedError {
    /// Why pairing came to nothing, and what to do.
    public var errorDescription: String? { sentence }
}

extension LinkError: LocalizedError {
    /// Why a link could not be opened or is gone.
    public var errorDescription: String? { sentence }
}
