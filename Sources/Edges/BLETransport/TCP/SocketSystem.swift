// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin

private let stream = SOCK_STREAM
#elseif canImport(Musl)
import Musl

private let stream = SOCK_STREAM
#else
import Glibc

private let stream = CInt(SOCK_STREAM.rawValue)
#endif

/// The address of one end of a TCP connection.
struct Endpoint: Sendable {
    fileprivate var storage = sockaddr_storage()
    fileprivate var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Looks a name up; may take as long as the network wishes unless it must be a number.
    ///
    /// - Returns: The addresses; none when there are none.
    static func resolve(_ host: String, _ port: Int, isNumber: Bool, isToListen: Bool) -> [Endpoint] {
        var hints = addrinfo()
        hints.ai_socktype = stream
        hints.ai_flags = AI_NUMERICSERV | (isNumber ? AI_NUMERICHOST : 0) | (isToListen ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var endpoints: [Endpoint] = []
        var next = unsafe list
        while let entry = unsafe next {
            var endpoint = Endpoint()
            if let address = unsafe entry.pointee.ai_addr {
                endpoint.length = unsafe entry.pointee.ai_addrlen
                unsafe withUnsafeMutableBytes(of: &endpoint.storage) {
                    unsafe $0.copyMemory(
                        from: UnsafeRawBufferPointer(start: address, count: Int(endpoint.length)))
                }
                endpoints.append(endpoint)
            }
            unsafe next = entry.pointee.ai_next
        }
        return endpoints
    }

    /// `HOST:PORT` in numbers, with brackets around an IPv6 address.
    var name: String {
        var host = [CChar](repeating: 0, count: 64)
        var port = [CChar](repeating: 0, count: 8)
        let status = withAddress { address, length in
            unsafe getnameinfo(
                address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV)
        }
        guard status == 0 else { return "somewhere" }
        let (hostName, portName) = (Self.text(host), Self.text(port))
        return hostName.contains(":") ? "[\(hostName)]:\(portName)" : "\(hostName):\(portName)"
    }

    /// The port.
    var port: Int {
        let text = name
        return text.lastIndex(of: ":").flatMap { Int(text[text.index(after: $0)...]) } ?? 0
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    fileprivate func withAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        unsafe withUnsafePointer(to: storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    fileprivate mutating func fill(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> CInt {
        unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe withUnsafeMutablePointer(to: &length) { unsafe body(address, $0) }
            }
        }
    }
}

/// How a call for a socket went.
enum SocketResult {
    /// The descriptor is ready for use.
    case open(CInt)
    /// The descriptor becomes writable once it is known.
    case pending(CInt)
    case failed(CInt)
}

/// Begins to connect.
func connectSocket(to endpoint: Endpoint) -> SocketResult {
    let descriptor = socket(CInt(endpoint.storage.ss_family), stream, 0)
    guard descriptor >= 0 else { return .failed(errno) }
    prepareDescriptor(descriptor)
    sendAtOnce(descriptor)
    if endpoint.withAddress({ unsafe connect(descriptor, $0, $1) }) == 0 { return .open(descriptor) }
    // Interrupted, it goes on by itself.
    if errno == EINPROGRESS || errno == EINTR { return .pending(descriptor) }
    let number = errno
    closeDescriptor(descriptor)
    return .failed(number)
}

/// Why a connection that was pending did not come about; 0 when it did.
func socketError(_ descriptor: CInt) -> CInt {
    var number: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
    return status == 0 ? number : errno
}

/// Listens at an address.
func listeningSocket(at endpoint: Endpoint) -> SocketResult {
    let descriptor = socket(CInt(endpoint.storage.ss_family), stream, 0)
    guard descriptor >= 0 else { return .failed(errno) }
    prepareDescriptor(descriptor)
    set(descriptor, SOL_SOCKET, SO_REUSEADDR)
    if endpoint.withAddress({ unsafe bind(descriptor, $0, $1) }) == 0, listen(descriptor, 128) == 0 {
        return .open(descriptor)
    }
    let number = errno
    closeDescriptor(descriptor)
    return .failed(number)
}

/// Takes a client that waits.
///
/// - Returns: Its descriptor, and where it comes from.
func acceptClient(_ listener: CInt) -> (result: CallResult, endpoint: Endpoint) {
    var endpoint = Endpoint()
    let result = CallResult { Int(endpoint.fill { unsafe accept(listener, $0, $1) }) }
    if case .done(let descriptor) = result {
        prepareDescriptor(CInt(descriptor))
        sendAtOnce(CInt(descriptor))
    }
    return (result, endpoint)
}

/// Where a socket is bound.
func localEndpoint(_ descriptor: CInt) -> Endpoint {
    var endpoint = Endpoint()
    _ = endpoint.fill { unsafe getsockname(descriptor, $0, $1) }
    return endpoint
}

/// Whether a failure to accept is that of one client, and not of the listener or the machine.
func isOfOneClient(_ number: CInt) -> Bool {
    [ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTUNREACH, EHOSTDOWN, ETIMEDOUT, EPERM].contains(number)
}

/// Lets small packets leave without waiting for more.
private func sendAtOnce(_ descriptor: CInt) { set(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY) }

private func set(_ descriptor: CInt, _ level: CInt, _ option: CInt) {
    var on: CInt = 1
    _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<CInt>.size))
}
