// SPDX-License-Identifier: Apache-2.0
// Keeps what the engine has in this browser's IndexedDB, in the rows of a hub. What cannot be kept waits, and is said.

// Each version adds stores.
const version = 3, stores = ["settings", "sources", "detections", "saves", "drives", "known"];
// Rows of a store of many that the engine reads at once, in the order of their numbers.
const batch = 500, many = new Set(["detections", "drives"]);
const reasons = {
    QuotaExceededError:
        "This browser gives this page no more room. What came since is only in this page: export it, then delete some of it.",
    closed:
        "This browser keeps nothing for this page, as in a private window. Export what is here before the page is closed.",
};

/// A row as it is kept, or one that the engine counts as unreadable: what is no JSON would hide all that comes after it.
const whole = ({ row }) => {
    try {
        JSON.parse(row);
        return row;
    } catch {
        return "{}";
    }
};

const done = (request) =>
    new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });

export class EngineStore {
    constructor(trouble) {
        // Is told what is wrong, and null when all is well again.
        this.trouble = trouble;
        // What is not kept yet: by store and number, the last row of each.
        this.waiting = new Map();
        this.isBusy = false;
        this.wait = 1000;
    }

    /// Opens the database, and gives `take` the texts with everything that is there.
    async open(take) {
        try {
            const request = indexedDB.open("lantern", version);
            request.onupgradeneeded = () => {
                const known = request.result.objectStoreNames;
                for (const name of stores.filter((name) => !known.contains(name))) {
                    request.result.createObjectStore(name, { keyPath: "id" });
                }
            };
            this.database = await done(request);
        } catch {
            return this.trouble(reasons.closed);
        }
        this.database.onversionchange = () => this.database.close();
        const all = (name, range) =>
            done(
                this.database.transaction(name).objectStore(name).getAll(
                    range,
                    many.has(name) ? batch : undefined,
                ),
            );
        const settings = await all("settings"), sources = await all("sources");
        const values = Object.fromEntries(settings.map(({ id, row }) => [id, row]));
        take(
            `{"settings":${JSON.stringify(values)},"sources":[${sources.map(whole).join(",")}],"ids":[]}`,
        );
        // One after the other: what a device had, or a set of cameras, may be a large text.
        for (const name of ["saves", "known"]) {
            for (const id of await done(this.database.transaction(name).objectStore(name).getAllKeys())) {
                for (const one of await all(name, IDBKeyRange.only(id))) {
                    take(`{"${name}":[${whole(one)}],"ids":[]}`);
                }
            }
        }
        const batches = async (name, give) => {
            for (let last = 0;;) {
                const rows = await all(name, IDBKeyRange.lowerBound(last, true));
                if (!rows.length) return;
                last = rows.at(-1).id;
                give(rows.map(whole).join(","), rows);
            }
        };
        await batches("drives", (drives) => take(`{"drives":[${drives}],"ids":[]}`));
        await batches("detections", (detections, rows) => {
            const ids = rows.map(({ id }) => id).join(",");
            take(`{"ids":[${ids}]}\n{"detections":[${detections}]}`);
        });
    }

    /// Keeps a row, or removes it when it is null.
    keep({ keep, id, row }) {
        this.waiting.set(`${keep} ${id}`, { keep, id, row });
        if (!this.isBusy) this.write();
    }

    /// Waits until all is kept, or cannot be; whether it is.
    async settled() {
        while (this.waiting.size) {
            if (!this.isBusy || this.isTroubled) return false;
            await this.attempt.catch(() => {});
        }
        return true;
    }

    /// Writes all that waits in one transaction; what fails is tried again.
    async write() {
        if (!this.database) return;
        this.isBusy = true;
        while (this.waiting.size) {
            const rows = [...this.waiting];
            try {
                await (this.attempt = this.commit(rows.map(([, row]) => row)));
                // What has come meanwhile for the same row waits on.
                for (const [key, row] of rows) if (this.waiting.get(key) === row) this.waiting.delete(key);
                if (this.isTroubled) this.trouble(null);
                this.isTroubled = false;
                this.wait = 1000;
            } catch (error) {
                this.isTroubled = true;
                this.trouble(
                    reasons[error?.name] ??
                        `This browser could not keep it: ${error?.message ?? error}. It is tried again.`,
                );
                await new Promise((resume) => setTimeout(resume, this.wait));
                this.wait = Math.min(60000, this.wait * 2);
            }
        }
        this.isBusy = false;
    }

    commit(rows) {
        return new Promise((resolve, reject) => {
            const work = this.database.transaction(stores, "readwrite");
            work.oncomplete = resolve;
            work.onerror = work.onabort = () => reject(work.error ?? new Error("the browser stopped it"));
            for (const { keep, id, row } of rows) {
                const store = work.objectStore(keep);
                if (row === null) store.delete(id);
                else store.put({ id, row });
            }
        });
    }
}
