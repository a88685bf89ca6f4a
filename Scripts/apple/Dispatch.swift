// SPDX-License-Identifier: Apache-2.0

// What we use of Dispatch, as we declare it, for Scripts/check-apple.

/// As Apple's documentation has it.
public struct DispatchTime: Sendable {
    /// As Apple's documentation has it.
    public static func now() -> DispatchTime { DispatchTime() }
}

/// As Apple's documentation has it.
public enum DispatchTimeInterval: Sendable {
    case nanoseconds(Int)
}

/// As Apple's documentation has it.
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }

/// As Apple's documentation has it.
public final class DispatchQueue: Sendable {
    /// As Apple's documentation has it.
    public init(label: String) {}

    /// As Apple's documentation has it.
    public static func global() -> DispatchQueue { DispatchQueue(label: "") }

    /// As Apple's documentation has it.
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}

    /// As Apple's documentation has it.
    public func asyncAfter(
        deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
    ) {}
}
