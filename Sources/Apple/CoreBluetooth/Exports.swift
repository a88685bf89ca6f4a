// SPDX-License-Identifier: Apache-2.0

// Apple's framework brings these along: apps that import it alone use DispatchQueue, UUID, Data and @Observable.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import Observation

// Foundation on Linux keeps Core Foundation to itself, so the times of it that the API shows are declared here.

/// A length of time in seconds.
public typealias CFTimeInterval = Double

/// A moment, in seconds since the first instant of 2001.
public typealias CFAbsoluteTime = CFTimeInterval

/// Returns the moment that the system's clock shows.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }
