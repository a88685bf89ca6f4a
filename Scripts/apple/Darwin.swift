// SPDX-License-Identifier: Apache-2.0

// What Apple's systems give Swift beside what C has: for Scripts/check-apple, as C/CDarwin is.

@_exported public import CDarwin

/// As Apple's documentation has it.
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
/// As Apple's documentation has it.
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
/// As Apple's documentation has it.
public var S_IFMT: mode_t { 0o170000 }
/// As Apple's documentation has it.
public var S_IFSOCK: mode_t { 0o140000 }
/// As Apple's documentation has it.
public var S_IFREG: mode_t { 0o100000 }
/// As Apple's documentation has it.
public var S_IFDIR: mode_t { 0o040000 }

/// As Apple's documentation has it.
public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { -1 }

/// As Apple's documentation has it.
public var errno: Int32 {
    get { 0 }
    set {}
}

/// As Apple's documentation has it.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }

/// As Apple's documentation has it.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }

/// As Apple's documentation has it.
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }

/// As Apple's documentation has it.
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
