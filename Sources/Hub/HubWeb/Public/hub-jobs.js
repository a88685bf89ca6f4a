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
}
