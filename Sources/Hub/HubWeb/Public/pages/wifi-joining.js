// The fourth step: what becomes of it, in the device's words; when it fails why, and another try.
import { fill, h, say } from "../dom.js";
import { symbol, wifiBars } from "../marks.js";
import { air, clock, dBm, deviceName, plain } from "../text.js";
import { passwordForm } from "./wifi-password.js";
import { heading, networkName, stepRow } from "./wifi-parts.js";

const seconds = (from, to) => Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 1000));

export function joiningView(page) {
    const element = h("div", { class: "wifi-views" });
    let kind, part;
    const refresh = () => {
        const { attempt, job } = page.setup;
        const next = attempt.step === "joined"
            ? "done"
            : attempt.step !== "failed"
            ? "progress"
            : `failed ${attempt.number} ${job.phase}`;
        if (next !== kind) {
            const moved = kind !== undefined;
            kind = next;
            const make = next === "done" ? donePart : next === "progress" ? progressPart : failedPart;
            part = make(page);
            element.replaceChildren(...part.elements);
            if (moved) (part.focus ?? page.app.main).focus();
        }
        part.refresh?.();
    };
    return { element, refresh, tick: () => part.tick?.() };
}

function progressPart(page) {
    const { app } = page, steps = h("ol"), line = h("progress", { max: 30, "aria-label": "Joining" });
    const network = page.setup.attempt, old = page.setup.status?.ssid;
    const card = h(
        "section",
        { class: "card wifi-panel wifi-progress" },
        heading("Joining ", networkName(network)),
        steps,
        line,
        h("p", { class: "hint wifi-leave" }, "You can look at other pages meanwhile."),
    );
    const tick = () => {
        const { attempt, protocol } = page.setup, { step, sent, accepted, joining, limit } = attempt;
        const from = joining ?? accepted,
            gone = from ? Math.min(limit, Math.max(0, Math.round((app.time - Date.parse(from)) / 1000))) : 0;
        const keeps = protocol === "WiFiSet" && old && old !== attempt.ssid
            ? "The device keeps its old network until this one works"
            : "The device has accepted it";
        const state = (done, now) => done ? "done" : now ? "busy" : "next";
        const rows = [
            [state(sent, true), 1, "Sent", networkName(attempt), sent && clock(sent, true)],
            step === "button"
                ? [
                    "busy",
                    2,
                    "Press its button",
                    "The device accepts the password once its button is pressed",
                ]
                : [
                    state(accepted, sent),
                    2,
                    "Accepted",
                    accepted ? keeps : "",
                    accepted && clock(accepted, true),
                ],
            [state(false, accepted), 3, "Joining", accepted ? `${gone} of at most ${limit} seconds` : ""],
            ["next", 4, "Joined"],
        ];
        fillSteps(steps, rows);
        line.max = limit;
        line.value = gone;
        line.setAttribute("aria-valuetext", accepted ? `${gone} of at most ${limit} seconds` : "Not yet");
    };
    return { elements: [card], refresh: tick, tick };
}

/// Only the texts change while the steps stay what they are, so that arcs turn on.
function fillSteps(list, rows) {
    const shape = rows.map(([state, , word, , time]) => `${state} ${word} ${time}`).join();
    if (list.shape !== shape) {
        list.shape = shape;
        fill(list, rows.map((row) => stepRow(...row)));
    }
    const text = list.children[2].querySelector(".step-text");
    if (text && typeof rows[2][3] === "string") say(text, rows[2][3]);
}

function failedPart(page) {
    const { attempt, job } = page.setup, open = job.phase === "open";
    const network = { ssid: attempt.ssid, ssid_octets: attempt.ssid_octets, security: attempt.security };
    const form = open ? passwordForm(page, network, "Try again") : null;
    const fallback = h("p", { class: "note" }, symbol("undo", 18), h("span"));
    const answers = answersPart();
    const card = h(
        "section",
        { class: "card wifi-panel wifi-outcome" },
        h(
            "div",
            { class: "wifi-verdict" },
            h("span", { class: "wifi-mark failed" }, symbol("warn")),
            h(
                "div",
                { class: "grow" },
                heading(
                    attempt.uncertain ? "Not known whether it joined " : "Couldn’t join ",
                    h("span", { class: "quoted" }, "“", networkName(attempt), "”"),
                ),
                h("p", { class: "second" }, air(attempt.failure ?? "")),
            ),
        ),
        form?.element,
        h(
            "div",
            { class: "actions" },
            form?.send ??
                h(
                    "a",
                    { class: "button main wide-button", href: `#/wifi/device/${job.device}` },
                    attempt.uncertain ? "Look again" : "Connect again",
                ),
            open
                ? h("a", { class: "button wide-button", href: `#/wifi/${page.id}` }, "Choose another network")
                : null,
        ),
        fallback,
    );
    return {
        elements: [card, answers.element],
        focus: form?.field,
        refresh: () => {
            const text = page.setup.attempt.fallback;
            fallback.hidden = !text;
            if (text) fill(fallback.lastChild, air(text));
            answers.refresh(page.setup.answers);
        },
    };
}

function answersPart() {
    const list = h("ol", { class: "octets" });
    const element = h(
        "details",
        { class: "card wifi-answers", open: true },
        h("summary", symbol("down", 18), h("h3", "What the device answered")),
        list,
    );
    let count;
    return {
        element,
        refresh: (answers) => {
            if (count === answers.at(-1)?.time + answers.length) return;
            count = answers.at(-1)?.time + answers.length;
            fill(list, answers.map(({ time, text }) => h("li", `${clock(time, true)} `, air(text))));
            element.hidden = !answers.length;
        },
    };
}

/// Where a browser can go on: http and https only, whatever the device says.
function wayOn({ ip, url } = {}) {
    try {
        const address = new URL(url ?? (ip ? `http://${ip}/` : ""));
        if (["http:", "https:"].includes(address.protocol)) return address.href;
    } catch {
        // It is no address.
    }
    return null;
}

function donePart(page) {
    const { attempt, job, status } = page.setup, way = wayOn(status ?? undefined);
    const word = way ? status.ip ?? new URL(way).host : null;
    const row = (name, ...value) => h("div", h("dt", name), h("dd", value));
    const link = (properties, ...inside) =>
        h("a", { ...properties, href: way, target: "_blank", rel: "noopener noreferrer" }, inside);
    const again = page.kept
        ? [
            h("a", { class: "button wide-button", href: "#/wifi" }, "Next device, same password"),
            h(
                "p",
                { class: "hint wifi-leave" },
                "The password is in memory only and forgotten when you leave.",
            ),
        ]
        : [h("a", { class: "button wide-button", href: "#/wifi" }, "Set up another device")];
    const card = h(
        "section",
        { class: "card wifi-done" },
        h("span", { class: "wifi-mark joined" }, symbol("check", 40)),
        heading(deviceName(page.device ?? job), " is on Wi-Fi"),
        h(
            "p",
            { class: "second" },
            "Joined “",
            networkName(attempt),
            `” in ${plural(seconds(attempt.begun, attempt.ended))}`,
        ),
        h(
            "dl",
            { class: "card" },
            way ? row("Address", link({}, plain(word))) : row("Address", "The device did not say"),
            status?.rssi ? row("Signal at the device", wifiBars(status.rssi), dBm(status.rssi)) : null,
            row("Device", h("span", { class: "octets" }, job.address)),
        ),
        h(
            "div",
            { class: "actions" },
            way
                ? link(
                    { class: "button main wide-button" },
                    h("span", { class: "cut" }, "Open ", h("bdi", plain(word))),
                    symbol("out", 18),
                )
                : null,
            again,
        ),
    );
    return { elements: [card] };
}
const plural = (count) => `${count} ${count === 1 ? "second" : "seconds"}`;
