// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension SerialPort {
    /// RTS and CTS.
    static let flowControl = tcflag_t(CRTSCTS)

    /// Speeds above those of POSIX.
    static let fastSpeeds: [(baud: Int, constant: speed_t)] = [
        (460800, speed_t(B460800)), (500000, speed_t(B500000)), (921600, speed_t(B921600)),
        (1_000_000, speed_t(B1000000)), (2_000_000, speed_t(B2000000)), (3_000_000, speed_t(B3000000)),
    ]
}
#else
import Darwin

extension SerialPort {
    /// RTS and CTS.
    static let flowControl = tcflag_t(CCTS_OFLOW) | tcflag_t(CRTS_IFLOW)

    /// Speeds above those of POSIX: there the constant is the speed.
    static let fastSpeeds: [(baud: Int, constant: speed_t)] =
        [460800, 500000, 921600, 1_000_000, 2_000_000, 3_000_000].map { ($0, speed_t($0)) }
}
#endif
