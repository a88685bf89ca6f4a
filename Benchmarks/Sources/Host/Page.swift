// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the controller can see of this process, beside its clock.
struct Page: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>

    init() {
        guard let name = getenv("BENCH_PAGE") else {
            stop("bench-controller starts this program")
        }
        let file = unsafe open(name, O_RDWR)
        guard let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), page != MAP_FAILED
        else {
            stop("the page cannot be mapped")
        }
        words = page.bindMemory(to: UInt64.self, capacity: 512)
    }

    /// Operations that are done.
    var done: UInt64 {
        get { words[1] }
        nonmutating set { words[1] = newValue }
    }

    /// Notes how long an operation took.
    func note(_ duration: Duration, at index: UInt64) {
        if index < 504 { words[Int(8 + index)] = UInt64(duration / .nanoseconds(1)) }
    }
}

/// Ends with a sentence.
func stop(_ why: String) -> Never {
    let line = Array("bench-host: \(why)\n".utf8)
    _ = unsafe write(2, line, line.count)
    exit(64)
}
