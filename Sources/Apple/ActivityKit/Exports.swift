// SPDX-License-Identifier: Apache-2.0

// Apple's framework brings this along.
@_exported public import Foundation
