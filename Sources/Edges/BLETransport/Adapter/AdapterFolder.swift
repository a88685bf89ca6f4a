// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What sysfs tells of an adapter.
struct AdapterFolder {
    static let parent = "/sys/class/bluetooth"
    private let path: String

    init(_ number: Int) { path = "\(Self.parent)/hci\(number)" }

    /// The numbers of the adapters, lowest first; links (`hci0:64`) lie beside them.
    static var numbers: [Int] {
        folderNames(parent).compactMap { $0.hasPrefix("hci") ? Int($0.dropFirst(3)) : nil }.sorted()
    }

    /// What its maker calls it, where the bus tells; else the bus.
    var product: String? {
        // The interface of a USB device lies in the device's folder.
        let texts = ["manufacturer", "product"].compactMap { text(of: "device/../\($0)") }
        guard texts.isEmpty else { return texts.joined(separator: " ") }
        return linkTarget("\(path)/device/subsystem").flatMap {
            $0.split(separator: "/").last.map(String.init)
        }
    }

    /// Whether rfkill keeps it off.
    var isBlocked: Bool { isBlockedBySwitch || isBlocked("soft") }

    /// Whether a switch of the machine keeps it off.
    var isBlockedBySwitch: Bool { isBlocked("hard") }

    private func isBlocked(_ kind: String) -> Bool {
        folderNames(path).contains { $0.hasPrefix("rfkill") && text(of: "\($0)/\(kind)") == "1" }
    }

    private func text(of name: String) -> String? { fileText("\(path)/\(name)") }
}

/// What lies in a folder; nothing if it is not there.
func folderNames(_ path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { octets in
            String(decoding: unsafe octets.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// The text of a small file of the kernel, without the end of its line.
func fileText(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { closeDescriptor(descriptor) }
    var octets: [UInt8] = []
    guard case .done = readOctets(descriptor, into: &octets, 1 << 14) else { return nil }
    while octets.last == UInt8(ascii: "\n") || octets.last == UInt8(ascii: " ") { octets.removeLast() }
    return String(decoding: octets, as: UTF8.self)
}

/// Where a symbolic link leads.
func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &target, target.count)
    return count > 0
        ? String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
}

/// Whether the program has the capability CAP_NET_ADMIN, which the user channel needs.
var mayAdministerNetwork: Bool {
    let line = fileText("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    guard let digits = line?.split(separator: "\t").last, let bits = UInt64(digits, radix: 16) else {
        return true
    }
    return bits & 1 << 12 != 0
}
#endif
