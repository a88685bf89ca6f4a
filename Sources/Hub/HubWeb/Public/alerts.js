// Alerts: a sound by Web Audio and a notification for each detection of which the hub says that it raises one.
import { types } from "./marks.js";
import { plain } from "./text.js";

/// The six sounds: notes of [hertz, start, length] in seconds, and a wave.
export const sounds = {
    chime: ["Chime", "sine", [[880, 0, 0.5], [1174.7, 0.14, 0.7]]],
    drop: ["Drop", "sine", [[1318.5, 0, 0.16], [659.3, 0.1, 0.4]]],
    knock: ["Knock", "triangle", [[196, 0, 0.09], [196, 0.16, 0.09]]],
    bell: ["Bell", "sine", [[1046.5, 0, 1.2], [2093, 0, 0.6], [3139, 0, 0.3]]],
    sonar: ["Sonar", "sine", [[740, 0, 0.12], [740, 0.4, 0.12], [740, 0.8, 0.12]]],
    alarm: ["Alarm", "square", [[932.3, 0, 0.12], [698.5, 0.15, 0.12], [932.3, 0.3, 0.12], [
        698.5,
        0.45,
        0.2,
    ]]],
};

/// What the system's notifications are to this page: "granted", "default", "denied", or why there are none.
export function notifications() {
    return isSecureContext ? globalThis.Notification?.permission ?? "missing" : "insecure";
}

/// Shows a notification of the system; where a page may make none by itself, as on a phone, its worker does.
async function show(title, options) {
    try {
        new Notification(title, options).onclick = () => focus();
    } catch {
        const { serviceWorker } = navigator;
        await serviceWorker.register("worker.js");
        await (await serviceWorker.ready).showNotification(title, options);
    }
}

export class Alerts {
    constructor(hub) {
        this.hub = hub;
        this.played = 0;
        // A browser plays nothing before somebody has touched the page.
        for (const name of ["pointerdown", "keydown"]) {
            addEventListener(name, () => this.unlock(), { once: true });
        }
        hub.on("detection", (detection) => detection.alert && this.raise(detection));
    }

    unlock() {
        if (!this.context) {
            this.context = new AudioContext();
            this.context.onstatechange = () => this.allowed?.();
        }
        this.context.resume();
    }

    /// Whether the browser plays sounds of this page.
    get isAllowed() {
        return this.context?.state === "running";
    }

    raise(detection) {
        const { sound, volume } = this.hub.state.settings.alerts;
        this.play(sound, volume);
        if (document.hidden && notifications() === "granted") {
            // The system draws it as its own: the title is the page's word, never the sender's.
            show(types[detection.type]?.[0] ?? "Unknown", {
                body: plain(detection.ssid || detection.mac || "No name or address", 80),
                icon: "icon.svg",
                tag: `source-${detection.source}`,
            }).catch(reportError);
        }
    }

    /// Plays a sound; nothing before the first gesture, or when it is "off".
    play(name, volume) {
        const sound = sounds[name];
        if (!sound || !this.context || volume <= 0) return;
        const [, wave, notes] = sound;
        this.played += 1;
        for (const [frequency, start, length] of notes) {
            const tone = this.context.createOscillator(), level = this.context.createGain();
            const at = this.context.currentTime + start;
            tone.type = wave;
            tone.frequency.value = frequency;
            level.gain.setValueAtTime(0.0001, at);
            level.gain.exponentialRampToValueAtTime(0.3 * volume, at + 0.012);
            level.gain.exponentialRampToValueAtTime(0.0001, at + length);
            tone.connect(level).connect(this.context.destination);
            tone.start(at);
            tone.stop(at + length + 0.05);
        }
    }
}
