// SPDX-License-Identifier: Apache-2.0
// What an app that was installed from a hub has without it: its pages, and the last that it knew, with the time of that.
// A page in a browser keeps nothing.

const name = "lantern-last-known", most = 200;

const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/// Has the worker keep the pages, now or when they are installed.
export function keepPages() {
    const register = () => navigator.serviceWorker?.register("worker.js").catch(() => {});
    if (isInstalled()) register();
    else addEventListener("appinstalled", register);
}

/// Keeps what pages show; where there is no room, what was kept before goes, too.
export function remember({ known, hub, settings, devices, recent }) {
    if (!isInstalled() || !hub) return;
    try {
        const text = JSON.stringify({
            known,
            hub,
            settings,
            devices: [...devices.values()],
            recent: recent.slice(0, most),
        });
        localStorage.setItem(name, text);
    } catch {
        forget();
    }
}

/// What was kept; null where nothing was, or it cannot be read.
export function recall() {
    try {
        const { devices, ...kept } = JSON.parse(isInstalled() ? localStorage.getItem(name) : null) ?? {};
        return kept.hub ? { ...kept, devices: new Map(devices.map((one) => [one.id, one])) } : null;
    } catch {
        return null;
    }
}

export function forget() {
    try {
        localStorage.removeItem(name);
    } catch {
        // A browser without storage has kept nothing.
    }
}
