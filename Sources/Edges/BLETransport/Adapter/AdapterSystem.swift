// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Musl)
import Musl

private let rawSocket = SOCK_RAW | SOCK_CLOEXEC
#else
import Glibc

private let rawSocket = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
#endif

// What <bluetooth/hci.h> of BlueZ says; the C library has no header for it.
private let bluetoothFamily: CInt = 31
private let hciProtocol: CInt = 1
private let userChannel: UInt16 = 1
private let controlChannel: UInt16 = 3
private let noAdapter: UInt16 = 0xFFFF
private let informationRequest: UInt = 0x8004_48D3

/// Opens a socket of HCI that belongs to no adapter yet.
func openSocket() throws(AdapterError) -> CInt {
    let descriptor = socket(bluetoothFamily, rawSocket, hciProtocol)
    guard descriptor < 0 else { return descriptor }
    switch errno {
    case EAFNOSUPPORT, EPROTONOSUPPORT: throw .noBluetooth
    case let number: throw .failed(0, systemReason(number))
    }
}

private func bindSocket(_ descriptor: CInt, _ adapter: UInt16, _ channel: UInt16) -> CInt {
    // sockaddr_hci: the family, the adapter, the channel.
    let address = [UInt16(bluetoothFamily), adapter, channel]
    return unsafe address.withUnsafeBytes { octets in
        unsafe octets.withMemoryRebound(to: sockaddr.self) { bound in
            unsafe bind(descriptor, bound.baseAddress, socklen_t(octets.count)) == 0 ? 0 : errno
        }
    }
}

/// Takes the user channel of an adapter, on which nobody else speaks with it, not even the kernel.
///
/// The kernel switches the adapter on, which may take seconds.
///
/// - Returns: A descriptor that the caller owns; each read and write of it is an HCI packet behind its H4 indicator.
func openUserChannel(_ number: Int) throws(AdapterError) -> CInt {
    let descriptor = try openSocket()
    let reason = bindSocket(descriptor, UInt16(number), userChannel)
    guard reason != 0 else { return descriptor }
    closeDescriptor(descriptor)
    switch reason {
    case EPERM, EACCES: throw .notPermitted(program: programPath())
    case ENODEV: throw .missing(number)
    // One that a program has is switched on.
    case EBUSY where !isOfSystem(number):
        throw (try? adapterInformation(number))?.isUp == false ? .notSetUp(number) : .inUseByProgram(number)
    case EUSERS: throw .inUseByProgram(number)
    case EBUSY: throw .inUseBySystem(number)
    case ERFKILL: throw .blocked(number, isBySwitch: AdapterFolder(number).isBlockedBySwitch)
    default: throw .failed(number, systemReason(reason))
    }
}

/// What the kernel says of an adapter: its address, lowest octet first, and whether it is switched on.
func adapterInformation(_ number: Int) throws(AdapterError) -> (address: [UInt8], isUp: Bool) {
    let descriptor = try openSocket()
    defer { closeDescriptor(descriptor) }
    // hci_dev_info: its number (2), name (8), address (6), flags (4), and more; 92 octets.
    var octets = [UInt8](repeating: 0, count: 128)
    octets[0] = UInt8(number & 0xFF)
    octets[1] = UInt8(number >> 8)
    guard unsafe octets.withUnsafeMutableBytes({ unsafe request(descriptor, $0) }) == 0 else {
        throw errno == ENODEV ? .missing(number) : .failed(number, systemReason(errno))
    }
    return (Array(octets[10..<16]), octets[16] & 1 != 0)
}

private func request(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> CInt {
    guard let address = buffer.baseAddress else { return -1 }
    return unsafe ioctl(descriptor, informationRequest, address)
}

/// Whether the kernel still manages an adapter itself; one that a program has taken is not among those.
///
/// It is asked with Read Controller Index List of its management protocol, which anybody may.
func isOfSystem(_ number: Int) -> Bool {
    guard let descriptor = try? openSocket() else { return true }
    defer { closeDescriptor(descriptor) }
    guard bindSocket(descriptor, noAdapter, controlChannel) == 0 else { return true }
    let command: [UInt8] = [0x03, 0x00, 0xFF, 0xFF, 0x00, 0x00]
    guard case .done = writeOctets(descriptor, command, 0..<command.count, isSocket: true) else {
        return true
    }
    // The answer is there at once, unless something else has happened just now.
    var answer: [UInt8] = []
    guard case .done(let count) = readOctets(descriptor, into: &answer, 512), count >= 11,
        answer[0..<2] == [0x01, 0x00], answer[6..<8] == [0x03, 0x00]
    else { return true }
    let indices = stride(from: 11, to: count - 1, by: 2).map { Int(answer[$0]) | Int(answer[$0 + 1]) << 8 }
    return indices.contains(number)
}

/// Where the program that runs lies.
func programPath() -> String {
    linkTarget("/proc/self/exe") ?? "lantern"
}
#endif
