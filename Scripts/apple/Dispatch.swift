// SPDX-License-Identifier: Apache-2.0

// What we use of Dispatch, as we declare it, for Scripts/check-apple.

public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { DispatchTime() }
}

public enum DispatchTimeInterval: Sendable {
    case nanoseconds(Int)
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }

public final class DispatchQueue: Sendable {
    public init(label: String) {}

    public static func global() -> DispatchQueue { DispatchQueue(label: "") }

    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}

    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {}
}
