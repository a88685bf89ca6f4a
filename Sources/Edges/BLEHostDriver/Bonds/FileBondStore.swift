// SPDX-License-Identifier: Apache-2.0

public import BLEWire
public import BluetoothLE
import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps bonds in a folder, a file for each adapter, which nobody else may read.
///
/// Each change replaces the file with a whole new one, so that a crash or a full disk loses none that was kept before. Programs
/// that change the same file go one after the other; who is held up for ten seconds is told so. A task that is cancelled meanwhile
/// keeps what it wanted to keep.
public struct FileBondStore: BondStore {
    /// No file is longer, in octets; what is may be another file.
    private static let longest = 1 << 20

    private let folder: String
    /// How long another program may hold the folder.
    private let patience: Duration

    /// Keeps bonds in a folder, which is made when there is something to keep.
    ///
    /// - Parameter folder: The folder's path.
    public init(folder: String) { self.init(folder: folder, patience: .seconds(10)) }

    init(folder: String, patience: Duration) {
        self.folder = folder
        self.patience = patience
    }

    /// All that is kept; where nothing is yet, it is said at once when nothing could be.
    public func bonds(of adapter: BluetoothAddress) async throws(BondStoreError) -> [KeptBond] {
        try await apart { () throws(BondStoreError) in
            let bonds = try content(of: adapter).bonds
            if bonds.isEmpty { try checkFolder(folder) }
            return bonds
        }
    }

    /// Keeps a bond, in place of what was kept of the same identity.
    public func keep(_ bond: KeptBond, of adapter: BluetoothAddress) async throws(BondStoreError) {
        _ = try await change(adapter) { content in
            content.bonds.keep(bond)
            return true
        }
    }

    /// Forgets a device.
    public func remove(
        _ identity: BluetoothAddress, of adapter: BluetoothAddress
    ) async throws(BondStoreError) -> Bool { try await change(adapter) { $0.bonds.remove(identity) } }

    /// The key that an adapter's own changing addresses are made with.
    public func resolvingKey(
        of adapter: BluetoothAddress, orKeep new: SMP.Secret
    ) async throws(BondStoreError) -> SMP.Secret {
        let kept = try await apart { () throws(BondStoreError) in try content(of: adapter).ownKey }
        if let kept { return kept }
        // Of two programs that start at once the first decides.
        _ = try await change(adapter) { content in
            guard content.ownKey == nil else { return false }
            content.ownKey = new
            return true
        }
        return try await apart { () throws(BondStoreError) in try content(of: adapter).ownKey } ?? new
    }

    /// The adapters of which there are bonds.
    ///
    /// - Returns: Their addresses.
    /// - Throws: ``BondStoreError`` when the folder cannot be read.
    public func adapters() async throws(BondStoreError) -> [BluetoothAddress] {
        try await apart { () throws(BondStoreError) in
            try files().compactMap(Self.adapter(of:)).sorted { $0.value < $1.value }
        }
    }

    // MARK: Files

    private static func name(of adapter: BluetoothAddress) -> String {
        let digits = String(adapter.value, radix: 16)
        let zeros = String(repeating: "0", count: 12 - digits.count)
        return zeros + digits + (adapter.kind == .public ? "-public" : "-random") + ".bonds"
    }

    private static func adapter(of name: String) -> BluetoothAddress? {
        guard name.hasSuffix(".bonds"), let value = UInt64(name.prefix(12), radix: 16) else { return nil }
        let adapter = BluetoothAddress(value, kind: name.contains("-public") ? .public : .random)
        return self.name(of: adapter) == name ? adapter : nil
    }

    /// What lies in the folder; nothing where there is no folder.
    private func files() throws(BondStoreError) -> [String] {
        guard let entries = unsafe opendir(folder) else {
            if errno == ENOENT { return [] }
            throw BondStoreError("The folder of bonds \(folder) cannot be read. Check its permissions.")
        }
        defer { unsafe closedir(entries) }
        var files: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { octets in
                String(decoding: unsafe octets.prefix { $0 != 0 }, as: UTF8.self)
            }
            files.append(name)
        }
        return files
    }

    private func path(of adapter: BluetoothAddress) -> String { "\(folder)/\(Self.name(of: adapter))" }

    /// Does what waits for a disk where no task does, which the disk resumes.
    private func apart<Value: Sendable>(
        _ body: @escaping @Sendable () throws(BondStoreError) -> Value
    ) async throws(BondStoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let result: Result<Value, BondStoreError>
                do throws(BondStoreError) { result = .success(try body()) } catch { result = .failure(error) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private func change(
        _ adapter: BluetoothAddress, _ change: @escaping @Sendable (inout BondText.Content) -> Bool
    ) async throws(BondStoreError) -> Bool {
        let place = try await apart { () throws(BondStoreError) in try openFolder() }
        defer { close(place) }
        // A task of its own, which nobody cancels.
        guard await Task.detached(operation: { await lock(place) }).value else {
            throw cannotKeep("another program holds them. End it, or try again later")
        }
        return try await apart { () throws(BondStoreError) in
            var content = try content(of: adapter)
            guard change(&content) else { return false }
            var text = BondText(content)
            defer { text.wipe() }
            guard Self.replace(path(of: adapter), text.octets), fsync(place) == 0 else {
                throw cannotKeep(Self.reason)
            }
            return true
        }
    }

    private func cannotKeep(_ reason: String) -> BondStoreError {
        BondStoreError("The bonds cannot be kept in \(folder): \(reason).")
    }

    /// Looks whether files can be made in a folder, or the folder in the one that it would lie in.
    private func checkFolder(_ path: String) throws(BondStoreError) {
        guard access(path, W_OK | X_OK) != 0 else {
            guard Self.isFolder(path) else { throw cannotKeep("\(path) is not a folder") }
            return
        }
        guard errno == ENOENT else { throw cannotKeep("\(path): \(Self.reason)") }
        guard let slash = path.dropLast().lastIndex(of: "/") else { return try checkFolder(".") }
        try checkFolder(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func openFolder() throws(BondStoreError) -> CInt {
        guard Self.makeFolder(folder) else { throw cannotKeep("the folder cannot be made") }
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw cannotKeep(Self.reason) }
        return place
    }

    /// Makes a folder that nobody else may enter, and those that it lies in, where they are missing.
    private static func makeFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        switch errno {
        case EEXIST: return isFolder(path)
        case ENOENT:
            guard let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else {
                return false
            }
            // Another program may make it at the same time.
            return makeFolder(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
        default: return false
        }
    }

    /// Waits until no other program changes the folder, in steps between which no thread is held; the system lets go of a lock
    /// whose program has ended.
    ///
    /// - Returns: Whether it is locked now.
    private func lock(_ place: CInt) async -> Bool {
        let end = ContinuousClock.now + patience
        while flock(place, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    private static var reason: String { String(cString: strerror(errno)) }

    private func content(of adapter: BluetoothAddress) throws(BondStoreError) -> BondText.Content {
        let path = path(of: adapter)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0, errno == ENOENT { return BondText.Content() }
        guard file >= 0 else { throw BondStoreError("The bonds in \(path) cannot be read: \(Self.reason).") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest
        else { throw BondStoreError("\(path) is not a file of bonds: move it away.") }
        guard status.st_mode & 0o077 == 0 else {
            throw BondStoreError(
                "Others can read the keys in \(path): run chmod 600 on it, or remove it and pair again.")
        }
        var octets = [UInt8](repeating: 0, count: Int(status.st_size))
        defer { BondText.wipe(&octets) }
        var position = 0
        while position < octets.count {
            let count = octets[position...].withUnsafeMutableBytes { rest in
                unsafe read(file, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw BondStoreError("The bonds in \(path) cannot be read: \(Self.reason).")
            }
            position += count
        }
        do throws(BondText.Malformed) {
            return try BondText.content(of: octets)
        } catch {
            throw BondStoreError(
                "Line \(error.line) of \(path) makes no sense: repair it, or move the file away and pair again."
            )
        }
    }

    /// Puts a new file in the place of another one, whole or not at all.
    private static func replace(_ path: String, _ octets: [UInt8]) -> Bool {
        let partial = "\(path).partial"
        unlink(partial)
        let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        let isWritten = rest.isEmpty && fsync(file) == 0
        // What went wrong is told, not what closing the file says.
        let why = errno
        close(file)
        guard isWritten, rename(partial, path) == 0 else {
            let reason = isWritten ? errno : why
            unlink(partial)
            errno = reason
            return false
        }
        return true
    }
}
