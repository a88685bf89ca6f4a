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

    // MARK: Lamps

    /// Looks at a lamp, over the link that another page has if one has it; the answer is the dashboard. `page` is a
    /// name that the page has given itself.
    beginLamp(device, page) {
        return this.hub.request("POST", `/devices/${device}/nightlight`, { filter: { page } });
    }
    keepLamp(id, page) {
        return this.hub.request("POST", `/nightlights/${id}/keep`, { filter: { page } });
    }
    lamp(id) {
        return this.hub.request("GET", `/nightlights/${id}`);
    }
    /// What is to be others; `if_changes` is what `changes` was when the person looked.
    changeLamp(id, change) {
        return this.hub.request("PATCH", `/nightlights/${id}`, { body: change });
    }
    /// Shows a colour, "#ff8800", on LEDs from 1; it ends by itself.
    tryColour(id, leds, color) {
        return this.hub.request("POST", `/nightlights/${id}/proof`, { body: { leds, color } });
    }
    endColour(id) {
        return this.hub.request("DELETE", `/nightlights/${id}/proof`);
    }
    setLampClock(id) {
        return this.hub.request("POST", `/nightlights/${id}/clock`);
    }
    /// Says that this page does not look any more.
    leaveLamp(id, page) {
        // Also when the page is closed.
        return this.hub.request("POST", `/nightlights/${id}/leave`, { filter: { page }, keepalive: true });
    }
    /// The lamps that the hub remembers: {items}.
    lamps() {
        return this.hub.request("GET", "/nightlights");
    }
    /// Keeps a change until a lamp is back; the answer is what is remembered of the lamp.
    addPending(address, change) {
        return this.hub.request("POST", "/nightlights/pending", { body: change, filter: { address } });
    }
    takeBackPending(id, address) {
        return this.hub.request("DELETE", `/nightlights/pending/${id}`, { filter: { address } });
    }
    forgetLamp(address) {
        return this.hub.request("DELETE", "/nightlights", { filter: { address } });
    }
    /// What schedules would do on a day: {date, stretches, night, conflicts, clock_change}.
    previewLight(asked) {
        return this.hub.request("POST", "/light-preview", { body: asked });
    }
    /// The weeks that the hub keeps: {items: [{id, kept, week}]}.
    schedules() {
        return this.hub.request("GET", "/light-schedules");
    }
    keepSchedule(week) {
        return this.hub.request("POST", "/light-schedules", { body: { week } });
    }
    replaceSchedule(id, week) {
        return this.hub.request("PUT", `/light-schedules/${id}`, { body: { week } });
    }
    forgetSchedule(id) {
        return this.hub.request("DELETE", `/light-schedules/${id}`);
    }

    // MARK: Bulbs

    /// {items: [dialect]}.
    bulbDialects() {
        return this.hub.request("GET", "/bulb-dialects");
    }
    /// Takes a bulb in hand, over the link that another page has if one has it; `how` is {dialect}, null for what it
    /// shows, or {} for what was chosen before. `page` is a name that the page has given itself. The answer is the bulb.
    beginBulb(device, page, how = {}) {
        return this.hub.request("POST", `/devices/${device}/bulb`, { body: how, filter: { page } });
    }
    keepBulb(id, page) {
        return this.hub.request("POST", `/bulbs/${id}/keep`, { filter: { page } });
    }
    /// Says that this page has it in hand no more.
    leaveBulb(id, page) {
        // Also when the page is closed.
        return this.hub.request("POST", `/bulbs/${id}/leave`, { filter: { page }, keepalive: true });
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
