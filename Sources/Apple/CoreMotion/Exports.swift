// SPDX-License-Identifier: Apache-2.0

// Apple's framework brings these along.
@_exported public import Dispatch
@_exported public import Foundation
