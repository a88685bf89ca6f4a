// What the hub does with a device for a page: a job with a link of its own, which lasts while the page keeps it.

export class DeviceJobs {
    constructor(hub) {
        this.hub = hub;
    }

    /// The jobs that go on: {items: [job]}.
    list() {
        return this.hub.request("GET", "/jobs");
    }
    /// Says that the page of a job is there; the answer is the job.
    keep(id) {
        return this.hub.request("POST", `/jobs/${id}/keep`);
    }
    end(id) {
        return this.hub.request("DELETE", `/jobs/${id}`);
    }

    // MARK: Wi-Fi

    /// Connects to a device to give it its Wi-Fi; the answer is the setup.
    beginWifi(device) {
        return this.hub.request("POST", `/devices/${device}/wifi`);
    }
    /// {setup, networks, hidden}.
    wifi(id) {
        return this.hub.request("GET", `/wifi/${id}`);
    }
    listNetworks(id) {
        return this.hub.request("POST", `/wifi/${id}/networks`);
    }
    identify(id) {
        return this.hub.request("POST", `/wifi/${id}/identify`);
    }
    /// {ssid_octets, security, password}: in the body alone.
    sendWifi(id, credentials) {
        return this.hub.request("POST", `/wifi/${id}/credentials`, { body: credentials });
    }

    // MARK: Bulbs

    /// {items: [dialect]}.
    bulbDialects() {
        return this.hub.request("GET", "/bulb-dialects");
    }
    /// Connects to a bulb; `how` is {dialect}, null for what it shows, or {} for what was chosen before. The answer is
    /// the bulb.
    beginBulb(device, how = {}) {
        return this.hub.request("POST", `/devices/${device}/bulb`, { body: how });
    }
    bulb(id) {
        return this.hub.request("GET", `/bulbs/${id}`);
    }
    /// {command, color, white_percent, effect, speed}.
    commandBulb(id, command) {
        return this.hub.request("POST", `/bulbs/${id}/commands`, { body: command });
    }
    /// Goes through all hues, a turn in so many milliseconds.
    startBulbCycle(id, turn) {
        return this.hub.request("POST", `/bulbs/${id}/cycle`, { body: { turn } });
    }
    stopBulbCycle(id) {
        return this.hub.request("DELETE", `/bulbs/${id}/cycle`);
    }
}
