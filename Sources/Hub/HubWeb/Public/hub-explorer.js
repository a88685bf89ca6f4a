// Everything that the hub hears, one device as an open book, and devices that are kept as saves.

export class ExplorerRequests {
    constructor(hub) {
        this.hub = hub;
    }

    // MARK: What is heard

    /// {items: [row], limit}; the events `scan_changed` come for a minute afterwards.
    devices() {
        return this.hub.request("GET", "/scan/devices");
    }
    /// Says that a page looks at the list.
    keepScan() {
        return this.hub.request("POST", "/scan/keep");
    }
    /// One row with its advertising data.
    device(id) {
        return this.hub.request("GET", `/scan/devices/${id}`);
    }

    // MARK: One device

    /// Connects to a device and reads what can be read; the answer is the explorer.
    begin(device) {
        return this.hub.request("POST", `/devices/${device}/explorer`);
    }
    /// {explorer, tree}, of a job.
    state(job) {
        return this.hub.request("GET", `/explorers/${job}`);
    }
    read(job, handle) {
        return this.hub.request("POST", `/explorers/${job}/read`, { body: { handle } });
    }
    /// {handle, form, value, response, confirmed}; 428 when the first write to a device was not confirmed.
    write(job, what) {
        return this.hub.request("POST", `/explorers/${job}/write`, { body: what });
    }
    watch(job, handle, on) {
        return this.hub.request("POST", `/explorers/${job}/watch`, { body: { handle, on } });
    }
    refresh(job) {
        return this.hub.request("POST", `/explorers/${job}/refresh`);
    }
    /// Answers when pairing is over; what is asked meanwhile comes as `pairing_changed`.
    pair(job) {
        return this.hub.request("POST", `/explorers/${job}/pair`);
    }
    cancelPairing(job) {
        return this.hub.request("DELETE", `/explorers/${job}/pair`);
    }
    /// {items: [value], total}, newest first.
    log(job, filter) {
        return this.hub.request("GET", `/explorers/${job}/log`, { filter });
    }
    /// What a link to the log as a file has.
    logFile(job, form, handle) {
        return this.hub.transport.file(`/explorers/${job}/log/file`, { form, handle });
    }
    save(job, name) {
        return this.hub.request("POST", `/explorers/${job}/save`, { body: { name } });
    }

    // MARK: Saves

    saves() {
        return this.hub.request("GET", "/saves");
    }
    /// A file as `gatt tree --output` writes it; the answer is the save.
    importSave(file, name) {
        return this.hub.request("POST", "/saves", {
            body: file,
            raw: true,
            filter: name ? { name } : {},
            headers: { "Content-Type": "application/json" },
        });
    }
    /// {save, mtu, octets, scan_response_octets, structures, services}: all that a save says.
    openSave(id) {
        return this.hub.request("GET", `/saves/${id}/tree`);
    }
    /// What a link to the file of a save has.
    saveLink(id) {
        return this.hub.transport.file(`/saves/${id}/file`);
    }
    /// The file of a save as it is.
    saveFile(id) {
        return this.hub.request("GET", `/saves/${id}/file`);
    }
    renameSave(id, name) {
        return this.hub.request("PATCH", `/saves/${id}`, { body: { name } });
    }
    deleteSave(id) {
        return this.hub.request("DELETE", `/saves/${id}`);
    }
    /// {before, after, items: [difference]}.
    differences(id, other) {
        return this.hub.request("GET", `/saves/${id}/differences`, { filter: { with: other } });
    }
    serving() {
        return this.hub.request("GET", "/serving");
    }
    serve(id, name) {
        return this.hub.request("POST", `/saves/${id}/serve`, { body: { name } });
    }
    endServing() {
        return this.hub.request("DELETE", "/serving");
    }
}
