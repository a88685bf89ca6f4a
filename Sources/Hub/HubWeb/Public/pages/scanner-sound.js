// SPDX-License-Identifier: Apache-2.0
// The Scanner's switch for sound, which says when the browser plays none yet.
import { fill, mark } from "../dom.js";
import { button } from "../controls.js";
import { symbol } from "../marks.js";

export class SoundSwitch {
    constructor(app) {
        this.app = app;
        this.element = button("", () => this.press(), { kind: "icon" });
        // Before the touch that allows sound does so: that one switches nothing off.
        for (const name of ["pointerdown", "keydown"]) {
            this.element.addEventListener(name, () => this.wasSilent = !app.alerts.isAllowed);
        }
        app.alerts.allowed = () => this.refresh();
    }

    close() {
        this.app.alerts.allowed = null;
    }

    refresh() {
        const quiet = this.app.hub.state.settings.alerts.sound === "off";
        const isHeard = !quiet && this.app.alerts.isAllowed;
        fill(this.element, symbol(isHeard ? "sound" : "mute", 18));
        const words = quiet
            ? "Sound is off. Switch it on"
            : isHeard
            ? "Sound is on. Switch it off"
            : "The browser plays no sound before this page is touched. Allow it";
        mark(this.element, "aria-label", words);
        mark(this.element, "title", words);
    }

    press() {
        const { app } = this, { alerts } = app.hub.state.settings;
        if (alerts.sound !== "off" && this.wasSilent) {
            this.wasSilent = false;
            app.alerts.play(alerts.sound, alerts.volume);
            return this.refresh();
        }
        const sound = alerts.sound === "off" ? this.last ?? "chime" : "off";
        if (sound === "off") this.last = alerts.sound;
        app.run(
            this.element,
            () => app.hub.changeSettings({ alerts: { sound } }),
            () => app.alerts.play(sound, alerts.volume),
        );
    }
}
