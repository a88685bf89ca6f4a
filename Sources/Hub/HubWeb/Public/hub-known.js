// SPDX-License-Identifier: Apache-2.0
// Sets of cameras that others know, as the hub keeps them, or what stands in its place.

export class KnownSets {
    constructor(hub) {
        this.hub = hub;
    }
    list() {
        return this.hub.request("GET", "/map/known/sets");
    }
    /// Reads a set out of a file, in the place of the one of its name; the answer says what it has.
    add(name, file) {
        return this.hub.request("POST", "/map/known", {
            body: file,
            raw: true,
            filter: { name, origin: file.name },
            headers: { "Content-Type": "application/octet-stream" },
        });
    }
    remove(name) {
        return this.hub.request("DELETE", "/map/known", { filter: { name } });
    }
}
