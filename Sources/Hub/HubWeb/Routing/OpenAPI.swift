// SPDX-License-Identifier: Apache-2.0

import Companion
import HTTPTypes

/// The OpenAPI document of routes, made from their declarations.
struct OpenAPI {
    let routes: [Route]
    /// Shapes that routes name.
    let components: [Schema]
    let version: String

    /// The document (OpenAPI 3.1).
    var json: JSONWriter {
        var json = JSONWriter()
        json.object { json in
            json.field("openapi", "3.1.0")
            json.key("info")
            json.object { json in
                json.field("title", "The hub of Lantern")
                json.field("version", version)
                json.field(
                    "description",
                    """
                    What Lantern's pages ask of their hub, for everybody. Events are described in \
                    Documentation/Events.md. Errors are problems (RFC 9457) whose detail a person understands.
                    """)
                json.key("license")
                json.object { json in
                    json.field("name", "Apache-2.0")
                    json.field("identifier", "Apache-2.0")
                }
            }
            json.key("servers")
            json.array { json in json.object { $0.field("url", RouteTable.base) } }
            Self.writeSecurity(roles: [], into: &json)
            json.key("paths")
            writePaths(into: &json)
            json.key("components")
            writeComponents(into: &json)
        }
        return json
    }

    /// Who may ask: with OpenAPI 3.1 the list of a scheme has the roles of which one is needed.
    private static func writeSecurity(roles: [AccessRole], into json: inout JSONWriter) {
        json.key("security")
        json.array { json in
            for name in ["token", "session"] {
                json.object { json in
                    json.key(name)
                    json.array { json in for role in roles { json.value(role.rawValue) } }
                }
            }
            // A hub that only its own machine can reach wants neither.
            json.object { _ in }
        }
    }

    private func writePaths(into json: inout JSONWriter) {
        var paths: [String] = []
        for route in routes where !paths.contains(route.path) { paths.append(route.path) }
        json.object { json in
            for path in paths {
                json.key(path)
                json.object { json in
                    for route in routes where route.path == path { Self.write(route, into: &json) }
                }
            }
        }
    }

    private static func write(_ route: Route, into json: inout JSONWriter) {
        json.key(route.method.rawValue.lowercased())
        json.object { json in
            json.field("operationId", route.name)
            json.field("summary", route.summary)
            if route.isOpen {
                json.key("security")
                json.array { _ in }
            } else if route.leastRole > .read {
                writeSecurity(roles: [route.leastRole], into: &json)
            }
            if !route.parameters.isEmpty {
                json.key("parameters")
                json.array { json in for parameter in route.parameters { parameter.write(into: &json) } }
            }
            if let body = route.body {
                json.key("requestBody")
                json.object { json in
                    json.field("description", body.description)
                    json.field("required", body.isRequired)
                    write(type: body.type, body.schema, into: &json)
                }
            }
            json.key("responses")
            json.object { json in
                write(route.answer, into: &json)
                for status in route.allRefusals {
                    json.key("\(status.code)")
                    json.object { json in
                        json.field("description", status.reasonPhrase)
                        write(type: "application/problem+json", HubAPI.Shape.problem, into: &json)
                    }
                }
            }
        }
    }

    private static func write(_ answer: Route.Answer, into json: inout JSONWriter) {
        json.key("\(answer.status.code)")
        json.object { json in
            json.field("description", answer.about)
            if !answer.headers.isEmpty {
                json.key("headers")
                json.object { json in
                    for (name, about) in answer.headers.sorted(by: { $0.key < $1.key }) {
                        json.key(name)
                        json.object { json in
                            json.field("description", about)
                            json.key("schema")
                            json.object { $0.field("type", "string") }
                        }
                    }
                }
            }
            if let type = answer.type { write(type: type, answer.schema, into: &json) }
        }
    }

    private static func write(type: String, _ schema: Schema, into json: inout JSONWriter) {
        json.key("content")
        json.object { json in
            json.key(type)
            json.object { json in
                json.key("schema")
                schema.write(into: &json)
            }
        }
    }

    private func writeComponents(into json: inout JSONWriter) {
        json.object { json in
            json.key("schemas")
            json.object { json in
                for case .component(let name, let schema) in components {
                    json.key(name)
                    schema.write(into: &json)
                }
            }
            json.key("securitySchemes")
            json.object { json in
                json.key("token")
                json.object { json in
                    json.field("type", "http")
                    json.field("scheme", "bearer")
                    json.field(
                        "description",
                        "A token of the hub, for programs. What it lets them do is its role: read, home (lamps and bulbs, too) "
                            + "or admin; each request says which it needs at least, read where it says none.")
                }
                json.key("session")
                json.object { json in
                    json.field("type", "apiKey")
                    json.field("in", "cookie")
                    json.field("name", SessionCookie(hub: "HUB", isEncrypted: false).name)
                    json.field(
                        "description",
                        "What POST /session gives a browser. HUB is of each hub's own; over an encrypted way __Host- comes "
                            + "before the name.")
                }
            }
        }
    }
}
