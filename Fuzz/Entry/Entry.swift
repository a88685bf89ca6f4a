// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Fuzzing

/// The target that the environment names.
private let target = FuzzTarget.all.first { $0.name == ProcessInfo.processInfo.environment["FUZZ_TARGET"] }

/// What libFuzzer calls with each input.
///
/// - Parameters:
///   - octets: The input.
///   - count: Octets of it.
/// - Returns: 0, as libFuzzer wants.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else { fatalError("FUZZ_TARGET names no target") }
    do throws(Broken) {
        try target.run([UInt8](UnsafeBufferPointer(start: octets, count: count)))
    } catch {
        fatalError("broken: \(error.promise)")
    }
    return 0
}
