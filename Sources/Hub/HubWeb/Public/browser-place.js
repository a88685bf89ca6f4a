// SPDX-License-Identifier: Apache-2.0
// Sends this browser's place to the hub, once somebody has allowed it here, while the hub takes it.
import { toast } from "./overlays.js";

const least = 1000;
/// A browser at rest says nothing of itself; the hub takes a place for old after ten seconds.
const rest = 5000;
const reasons = {
    1: "This browser refuses its place. Allow it in the browser's settings of this page.",
    2: "This browser does not know where it is.",
    3: "This browser has not found out where it is. Go outside or try again.",
};

export class BrowserPlace {
    constructor(hub) {
        this.hub = hub;
        this.watch = null;
        this.sent = 0;
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
            return "Browsers tell their place only where the hub is reached by https.";
        }
        return navigator.geolocation ? null : "This browser has no place.";
    }

    /// Asks the browser, which asks the person; goes on until the page is left or the hub wants it no more.
    start() {
        if (BrowserPlace.refusal) return toast(BrowserPlace.refusal);
        if (this.isOn) return;
        this.watch = navigator.geolocation.watchPosition(
            (position) => this.send(position),
            ({ code }) => {
                if (code === 1) this.stop();
                if (this.said !== code) toast(reasons[this.said = code] ?? reasons[2]);
            },
            { enableHighAccuracy: true, maximumAge: 5000, timeout: 60000 },
        );
        this.again = setInterval(() => {
            if (Date.now() - this.sent < rest - 500) return;
            navigator.geolocation.getCurrentPosition((position) => this.send(position), () => {}, {
                enableHighAccuracy: true,
                maximumAge: 0,
                timeout: rest,
            });
        }, rest);
    }

    stop() {
        if (!this.isOn) return;
        navigator.geolocation.clearWatch(this.watch);
        clearInterval(this.again);
        this.watch = null;
    }

    send({ coords, timestamp }) {
        this.said = null;
        if (!this.isWanted || this.hub.state.link !== "live" || Date.now() - this.sent < least) return;
        this.sent = Date.now();
        const { latitude, longitude, accuracy, altitude, altitudeAccuracy, speed, heading } = coords;
        this.hub.sendPosition({
            latitude,
            longitude,
            accuracy,
            altitude,
            altitude_accuracy: altitudeAccuracy,
            speed,
            heading: Number.isFinite(heading) ? heading : null,
            time: new Date(timestamp + this.hub.ahead).toISOString(),
        }).catch((error) => {
            if (error.status > 0 && this.refused !== error.message) toast(this.refused = error.message);
        });
    }
}
