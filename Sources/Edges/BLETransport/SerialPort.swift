// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Opens serial ports in raw mode, with RTS and CTS where the driver has them.
enum SerialPort {
    /// The system's constant for a speed, if it has one.
    static func speed(_ baud: Int) -> speed_t? { speeds.first { $0.baud == baud }?.constant }

    private static let speeds: [(baud: Int, constant: speed_t)] = commonSpeeds + fastSpeeds

    private static let commonSpeeds: [(baud: Int, constant: speed_t)] = [
        (9600, speed_t(B9600)), (19200, speed_t(B19200)), (38400, speed_t(B38400)), (57600, speed_t(B57600)),
        (115200, speed_t(B115200)), (230400, speed_t(B230400)),
    ]

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - path: The port's path.
    ///   - baud: The speed.
    /// - Returns: A file descriptor that the caller owns.
    /// - Throws: ``TransportError/cannotOpen(_:)``.
    static func open(_ path: String, baud: Int) throws(TransportError) -> CInt {
        let descriptor = openDescriptor(path)
        guard descriptor >= 0 else { throw .cannotOpen("\(path): \(systemReason(errno))") }
        var settings = termios()
        guard let speed = speed(baud), tcgetattr(descriptor, &settings) == 0 else {
            let why = errno == ENOTTY ? "it is not a serial port" : systemReason(errno)
            closeDescriptor(descriptor)
            throw .cannotOpen("\(path): \(why)")
        }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
        _ = cfsetispeed(&settings, speed)
        _ = cfsetospeed(&settings, speed)
        let plain = settings.c_cflag
        settings.c_cflag |= flowControl
        var isSet = tcsetattr(descriptor, TCSANOW, &settings) == 0
        if !isSet {
            // A driver that refuses it is used without.
            settings.c_cflag = plain
            isSet = tcsetattr(descriptor, TCSANOW, &settings) == 0
        }
        guard isSet else {
            let why = systemReason(errno)
            closeDescriptor(descriptor)
            throw .cannotOpen("\(path): \(why)")
        }
        return descriptor
    }
}

private func openDescriptor(_ path: String) -> CInt { open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
