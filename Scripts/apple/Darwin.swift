// SPDX-License-Identifier: Apache-2.0

// What Apple's systems give Swift beside what C has: for Scripts/check-apple, as C/CDarwin is.

@_exported public import CDarwin

public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }

public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { -1 }

public var errno: Int32 {
    get { 0 }
    set {}
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }

public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }

public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
