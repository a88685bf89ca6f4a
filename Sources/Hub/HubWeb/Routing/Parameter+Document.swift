// SPDX-License-Identifier: Apache-2.0

import BLEWire
import Companion

extension Parameter {
    /// Writes it as OpenAPI has it.
    func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("in", place.rawValue)
            json.field("description", about)
            if isRequired { json.field("required", true) }
            json.key("schema")
            if repeats {
                Schema.list(schema, 0...Self.mostValues).write(into: &json)
            } else if let parts {
                Schema.list(schema, parts...parts).write(into: &json)
            } else {
                schema.write(into: &json)
            }
            if parts != nil {
                json.field("style", "form")
                json.field("explode", false)
            }
        }
    }
}
