// The overflow area as the hub hears it, its catalogue, and the hub's own beacon.

export class OverflowRequests {
    constructor(hub) {
        this.hub = hub;
    }

    /// {sources, beacon}: senders now and before, and what the hub sends itself.
    state() {
        return this.hub.request("GET", "/overflow");
    }
    /// {items: [service]}: those that people have added, then the known ones.
    services() {
        return this.hub.request("GET", "/overflow/services");
    }
    /// Four octets in hex, by v1 or v2; the answer is the beacon.
    startBeacon(payload, codec) {
        return this.hub.request("POST", "/overflow/beacon", { body: { payload, codec } });
    }
    endBeacon() {
        return this.hub.request("DELETE", "/overflow/beacon");
    }
}
