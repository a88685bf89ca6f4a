// SPDX-License-Identifier: Apache-2.0

public import BLEWire

#if canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A Bluetooth adapter of this machine, which the kernel drives.
public struct Adapter: Hashable, Sendable {
    /// Its number: 0 is `hci0`.
    public let number: Int
    /// What its maker calls it, or the bus that it is on; `nil` when nothing says.
    public let product: String?
    /// Its public address; `nil` when it has none, or when it does not tell before it is switched on.
    public let address: BluetoothAddress?
    /// Why it cannot be used at this moment; `nil` when it can.
    public let fault: AdapterError?
}

#if os(Linux)
extension Adapter {
    /// The adapters of this machine, lowest number first.
    ///
    /// None of them is touched. What keeps a program out may have changed when it is opened.
    ///
    /// - Returns: The adapters; none where the system has no Bluetooth.
    public static func all() -> [Adapter] { AdapterFolder.numbers.map { Adapter($0) } }

    /// Why there is no adapter, where ``all()`` gives none.
    public static var absence: AdapterError {
        do throws(AdapterError) {
            closeDescriptor(try openSocket())
            return .noAdapter
        } catch {
            return error
        }
    }

    /// Opens an adapter, or the first that can be used.
    ///
    /// It may take seconds.
    ///
    /// - Parameter number: Which one.
    /// - Returns: Its descriptor and its number.
    /// - Throws: Why it, or the first of all, cannot be used.
    static func open(_ number: Int?) throws(AdapterError) -> (descriptor: CInt, number: Int) {
        try AdapterError.outlast(pause: { usleep(100_000) }) { () throws(AdapterError) in
            try openNow(number)
        }
    }

    private static func openNow(_ number: Int?) throws(AdapterError) -> (descriptor: CInt, number: Int) {
        if let number { return (try openUserChannel(number), number) }
        var first: AdapterError?
        for number in all().map(\.number) {
            do throws(AdapterError) { return (try openUserChannel(number), number) } catch {
                first = first ?? error
            }
        }
        throw first ?? absence
    }

    private init(_ number: Int) {
        let folder = AdapterFolder(number)
        var address: BluetoothAddress?
        var fault: AdapterError?
        do throws(AdapterError) {
            let (octets, isUp) = try adapterInformation(number)
            let value = octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            if value != 0 { address = BluetoothAddress(value, kind: .public) }
            if folder.isBlocked {
                fault = .blocked(number, isBySwitch: folder.isBlockedBySwitch)
            } else if isUp {
                fault = isOfSystem(number) ? .inUseBySystem(number) : .inUseByProgram(number)
            } else if !mayAdministerNetwork {
                fault = .notPermitted(program: programPath())
            }
        } catch {
            fault = error
        }
        (self.number, self.product, self.address, self.fault) = (number, folder.product, address, fault)
    }
}
#else
extension Adapter {
    /// The adapters of this machine: none, because only Linux gives programs any.
    public static func all() -> [Adapter] { [] }

    /// Why there is no adapter.
    public static var absence: AdapterError { .otherSystem }

    static func open(_ number: Int?) throws(AdapterError) -> (descriptor: CInt, number: Int) {
        throw .otherSystem
    }
}
#endif
