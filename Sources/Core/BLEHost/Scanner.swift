// SPDX-License-Identifier: Apache-2.0

/// What is wanted of scanning, and what the controller was told.
struct Scanner {
    var parameters: ScanParameters?
    /// Whether the controller was told to scan.
    var isOn = false
    var assembler = AdvertisementAssembler()

    var isWanted: Bool { parameters != nil }
}
