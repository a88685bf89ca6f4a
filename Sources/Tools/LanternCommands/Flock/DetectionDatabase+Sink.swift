// SPDX-License-Identifier: Apache-2.0

import HubModel
import HubStore

extension DetectionDatabase: DetectionSink {}
