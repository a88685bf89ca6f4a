// SPDX-License-Identifier: Apache-2.0

/// Why a Bluetooth adapter of this machine cannot be used: one case for each thing a person can do something about.
public enum AdapterError: Error, Hashable, Sendable {
    /// Only Linux gives programs an adapter.
    case otherSystem
    /// The kernel has no Bluetooth, or keeps it from this container.
    case noBluetooth
    /// There is no adapter at all.
    case noAdapter
    /// There is no adapter of this number.
    case missing(Int)
    /// The program lacks the capability CAP_NET_ADMIN; its path.
    case notPermitted(program: String)
    /// The system's own Bluetooth has it.
    case inUseBySystem(Int)
    /// Another program has it.
    case inUseByProgram(Int)
    /// The kernel is still setting it up, or could not: a controller that does not answer.
    case notSetUp(Int)
    /// It is switched off by rfkill; whether by a switch on the machine, which no command moves.
    case blocked(Int, isBySwitch: Bool)
    /// It was pulled out while it was used.
    case unplugged(Int)
    /// The system does not give it; its words.
    case failed(Int, String)
}

extension AdapterError {
    /// What to type, in this order; empty when no command helps.
    public var commands: [String] {
        switch self {
        case .missing: ["lantern radios"]
        case .notPermitted(let program): ["sudo setcap cap_net_admin=ep \(program)"]
        case .inUseBySystem(let number):
            ["sudo systemctl stop bluetooth", "sudo hciconfig hci\(number) down"]
        case .blocked(_, isBySwitch: false): ["sudo rfkill unblock bluetooth"]
        case .otherSystem, .noBluetooth, .noAdapter, .inUseByProgram, .notSetUp, .blocked, .unplugged,
            .failed:
            []
        }
    }

    /// What is wrong and what to do, without a full stop.
    public var words: String {
        switch self {
        case .otherSystem:
            "hci:N is for Linux only; use tcp:HOST:PORT or serial:PATH here"
        case .noBluetooth:
            "this kernel has no Bluetooth; a container needs the network of the host (--network host)"
        case .noAdapter: "this machine has no Bluetooth adapter: plug one in, or load its driver"
        case .missing(let number):
            "there is no hci\(number): `\(commands[0])` lists the adapters of this machine"
        case .notPermitted:
            "the capability CAP_NET_ADMIN is missing; give it once with `\(commands[0])`"
        case .inUseBySystem(let number):
            "hci\(number) is in use by the system: free it with `\(commands[0])`, then "
                + "`\(commands[1])` if it is still up"
        case .inUseByProgram(let number): "hci\(number) is in use by another program: end that first"
        case .notSetUp(let number):
            "the kernel is still setting hci\(number) up, or could not: try again, then pull it out and plug it in; "
                + "the kernel's log says more (`sudo dmesg`)"
        case .blocked(let number, isBySwitch: false):
            "hci\(number) is blocked: run `\(commands[0])`"
        case .blocked(let number, isBySwitch: true):
            "hci\(number) is blocked by a switch or key of this machine: switch Bluetooth on there"
        case .unplugged(let number): "hci\(number) was unplugged"
        case .failed(let number, let why): "hci\(number): \(why)"
        }
    }
}

extension AdapterError {
    /// Whether it may be over in a moment: when a program lets an adapter go, the kernel takes it back first.
    private var maySoonBeOver: Bool {
        switch self {
        case .inUseBySystem, .inUseByProgram, .notSetUp: true
        case .otherSystem, .noBluetooth, .noAdapter, .missing, .notPermitted, .blocked, .unplugged, .failed:
            false
        }
    }

    /// Tries something again, 20 times at most, as long as what keeps it off may soon be over.
    ///
    /// - Parameters:
    ///   - pause: Waits before the next attempt.
    ///   - body: What is tried.
    /// - Returns: What it gives.
    /// - Throws: Why the last attempt failed.
    package static func outlast<Value>(
        pause: () -> Void, _ body: () throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        for _ in 0..<20 {
            do throws(AdapterError) { return try body() } catch {
                guard error.maySoonBeOver else { throw error }
            }
            pause()
        }
        return try body()
    }
}
