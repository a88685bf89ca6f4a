// SPDX-License-Identifier: Apache-2.0
// Drives, as the hub keeps them.

/// So many are listed, and so many detections of one are looked through for their sources.
const most = 1000, mostSources = 200;

/// One that has only begun ends where it began.
export const ended = (drive) => ({ ...drive, end: drive.end ?? drive.begin });

export class Drives {
    constructor(hub) {
        this.hub = hub;
    }
    /// The newest first.
    async list() {
        return (await this.hub.request("GET", "/drives", { filter: { limit: most } })).drives.map(ended);
    }
    /// A drive with its points: [latitude, longitude, milliseconds, metres a second or null].
    async one(id) {
        return ended(await this.hub.request("GET", `/drives/${id}`));
    }
    remove(id) {
        return this.hub.request("DELETE", `/drives/${id}`);
    }
    /// The time of a drive as a filter, to the end of its last millisecond.
    filter({ begin, end }) {
        return { since: begin, until: new Date(Date.parse(end) + 1).toISOString() };
    }
    /// The sources that were received during a drive: {fresh, met, more}, first those that were new then.
    async sources(drive) {
        const { items, next } = await this.hub.detections({ ...this.filter(drive), limit: most });
        const ids = [...new Set(items.map(({ source }) => source).filter(Boolean))];
        const asked = ids.slice(0, mostSources);
        const found = asked.length
            ? (await this.hub.sources({ source: asked, limit: mostSources })).items
            : [];
        const isFresh = ({ first }) => Date.parse(first) >= Date.parse(drive.begin);
        return {
            fresh: found.filter(isFresh),
            met: found.filter((one) => !isFresh(one)),
            more: Boolean(next) || ids.length > asked.length,
        };
    }
}
