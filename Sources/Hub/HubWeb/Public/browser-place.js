// SPDX-License-Identifier: Apache-2.0
// Sends this browser's place to the hub, once somebody has allowed it here, while the hub takes it.
import { toast } from "./overlays.js";

const least = 1000;
/// A browser tells its place when that changes; while it does not, the hub would take it for old after ten seconds. It is sent
/// so long after the last time, not at every so manieth second: that could leave nearly twice as long between two.
const rest = 4500;
const reasons = {
    1: "This browser does not give its place to this page. Allow it in the browser's settings for this page.",
    2: "This browser does not know where it is.",
    3: "This browser has not found out where it is. Go outside or try again.",
};

export class BrowserPlace {
    constructor(hub) {
        this.hub = hub;
        this.watch = null;
        /// The last place, as long as the browser knows it.
        this.last = null;
        /// When something was sent last, by the clock that nobody sets.
        this.sent = -Infinity;
        hub.on("settings_changed", () => {
            if (!this.isWanted) this.stop();
        });
    }

    get isWanted() {
        return this.hub.state.settings?.location.source === "browser";
    }
    get isOn() {
        return this.watch !== null;
    }
    /// Why this browser can tell nobody where it is; null when it can.
    static get refusal() {
        if (!globalThis.isSecureContext) {
            return "Browsers give their place only to pages that are opened over https.";
        }
        return navigator.geolocation ? null : "This browser cannot tell its place.";
    }

    /// Asks the browser, which asks the person; goes on until the page is left or the hub wants it no more.
    start() {
        if (BrowserPlace.refusal) return toast(BrowserPlace.refusal);
        if (this.isOn) return;
        this.watch = navigator.geolocation.watchPosition(
            (position) => this.send(position),
            ({ code }) => {
                this.last = null;
                if (code === 1) this.stop();
                if (this.said !== code) toast(reasons[this.said = code] ?? reasons[2]);
            },
            { enableHighAccuracy: true, maximumAge: 5000, timeout: 60000 },
        );
        this.again = setInterval(() => {
            if (performance.now() - this.sent < rest) return;
            if (this.last) this.send({ coords: this.last, timestamp: Date.now() });
        }, least);
    }

    stop() {
        if (!this.isOn) return;
        navigator.geolocation.clearWatch(this.watch);
        clearInterval(this.again);
        this.watch = this.last = null;
    }

    send({ coords, timestamp }) {
        this.said = null;
        this.last = coords;
        if (!this.isWanted || this.hub.state.link !== "live" || performance.now() - this.sent < least) return;
        this.sent = performance.now();
        const { latitude, longitude, accuracy, altitude, altitudeAccuracy, speed, heading } = coords;
        this.hub.sendPosition({
            latitude,
            longitude,
            accuracy,
            altitude,
            altitude_accuracy: altitudeAccuracy,
            speed,
            heading: Number.isFinite(heading) ? heading : null,
            time: new Date(timestamp + this.hub.transport.ahead).toISOString(),
        }).catch((error) => {
            if (error.status > 0 && this.refused !== error.message) toast(this.refused = error.message);
        });
    }
}
