// SPDX-License-Identifier: Apache-2.0

import Companion
import CompanionStore

extension DetectionDatabase: DetectionSink {}
