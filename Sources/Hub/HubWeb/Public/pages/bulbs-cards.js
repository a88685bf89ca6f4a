// The cards beside a bulb: what it says, some effects, and how it is spoken to.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { age, air } from "../text.js";
import { button } from "../controls.js";
import { effectButtons, speedSlider } from "./bulbs-effects.js";
import { stateColour, stateOf, stateValue } from "./bulbs-words.js";

const card = (title, ...rest) => {
    const beside = h("div", { class: "beside" });
    const element = h(
        "section",
        { class: "card bulb-side-card", "aria-label": title },
        h("div", { class: "card-head" }, h("h2", title), beside),
        rest,
    );
    return { element, beside };
};

function box(state) {
    const light = state?.power && state.mode === "color" ? state.color : stateColour(state);
    const one = h("i", { class: "light-box", "aria-hidden": "true" });
    if (light) one.style.setProperty("--light", light);
    else if (state?.mode === "effect" && state.power) one.append(symbol("wave", 16));
    else if (state) one.append(symbol("power", 16));
    return one;
}

/// What was asked beside what the bulb says.
export function saidCard(page) {
    const when = h("span", { class: "hint" }), pair = h("div", { class: "bulb-said" });
    const verdict = h("div", { class: "bulb-verdict", role: "status" }),
        written = h("p", { class: "bulb-written" });
    const again = button(symbol("refresh", 18), () => page.give({ command: "state" }), {
        kind: "icon",
        label: "Ask the bulb again",
    });
    const { element, beside } = card("What the bulb says", pair, verdict, written);
    beside.append(when, again);
    element.classList.add("said-card");
    let shape;
    const tick = () => {
        const { bulb } = page, words = bulb?.said_time ? age(bulb.said_time, page.app.time) : "";
        say(when, /^\d/.test(words) && !words.includes(":") ? `${words} ago` : words);
    };
    return {
        element,
        tick,
        refresh() {
            const { bulb } = page;
            element.hidden = page.chosen === "all" || bulb?.job.phase !== "open";
            if (element.hidden) return;
            tick();
            again.hidden = !bulb.reports_state;
            const effects = page.effectsOf(bulb);
            const now = JSON.stringify([
                bulb.asked,
                bulb.said,
                bulb.agrees,
                bulb.busy,
                bulb.octets,
                bulb.reports_state,
                bulb.turn,
                effects.length,
            ]);
            if (now === shape) return;
            shape = now;
            const side = (word, state, text) =>
                h(
                    "div",
                    box(state),
                    h(
                        "div",
                        h("div", { class: "hint" }, word),
                        h(
                            "div",
                            { class: state?.power && state.mode === "color" ? "octets value" : "value" },
                            text,
                        ),
                    ),
                );
            const asked = bulb.turn
                ? "All hues"
                : bulb.asked
                ? stateValue(bulb.asked, effects)
                : "Nothing yet";
            fill(
                pair,
                side("Asked", bulb.turn ? null : bulb.asked, asked),
                side("Says", bulb.said, bulb.said ? stateValue(bulb.said, effects) : "Nothing"),
            );
            const differs = bulb.agrees === false && !bulb.busy && !bulb.turn;
            element.classList.toggle("differs", differs);
            mark(verdict, "class", differs ? "bulb-verdict differs" : "bulb-verdict");
            fill(
                verdict,
                differs ? symbol("warn", 16) : null,
                !bulb.reports_state
                    ? "Bulbs of this dialect never answer. Lantern sends what you ask for and cannot know whether it worked."
                    : bulb.busy
                    ? "On its way"
                    : bulb.turn
                    ? "The bulb is asked again when All hues ends"
                    : differs
                    ? "Not what you asked for"
                    : bulb.agrees
                    ? "Just what you asked for"
                    : bulb.said
                    ? "As it was when Lantern connected"
                    : "Not answered yet",
            );
            say(written, bulb.octets ? `Written ${bulb.octets.match(/../g).join(" ")}` : "");
            written.hidden = !bulb.octets;
        },
    };
}

/// All hues and the first effects of the bulb, while colour or white is in hand.
export function effectsCard(page) {
    const list = h("div"), { element } = card("Effects", list);
    let shape;
    element.classList.add("bulb-only-wide");
    return {
        element,
        refresh() {
            const { bulb } = page;
            element.hidden = page.view === "effects" || page.chosen === "all" || bulb?.job.phase !== "open";
            if (element.hidden) return;
            const effects = page.effectsOf(bulb).slice(0, 2), state = stateOf(bulb);
            const now = JSON.stringify([effects, state?.power && state.effect, bulb.turn, page.chosen]);
            if (now === shape) return;
            shape = now;
            fill(
                list,
                effectButtons(page, effects),
                page.dialectOf(bulb)?.speed || bulb.turn ? speedSlider(page) : null,
            );
        },
    };
}

/// How the bulb is spoken to, why, and another way.
export function dialectCard(page) {
    let shape, wanted = null;
    // What is chosen while another choice is under way comes after it.
    const speak = async () => {
        while (wanted) {
            const { device, dialect } = wanted;
            wanted = null;
            await page.speak(device, dialect || null);
        }
    };
    const reason = h("p"),
        choice = h("select", {
            class: "field",
            "aria-label": "Dialect",
            onchange: async () => {
                wanted = { device: page.chosen, dialect: choice.value };
                if (choice.getAttribute("aria-busy")) return;
                await page.app.run(choice, speak);
                // Where it was refused, the choice is again what the bulb has.
                shape = wanted = null;
                page.draw();
            },
        });
    const { element, beside } = card("Dialect", reason);
    beside.append(choice);
    return {
        element,
        refresh() {
            const { bulb } = page;
            element.hidden = page.chosen === "all" || !bulb || bulb.job.phase === "connecting";
            if (element.hidden) return;
            const now = JSON.stringify([
                bulb.dialect,
                bulb.dialect_chosen,
                bulb.dialect_reason,
                page.dialects.length,
            ]);
            if (now === shape) return;
            shape = now;
            fill(
                choice,
                h("option", { value: "" }, bulb.dialect && !bulb.dialect_chosen ? "Detected" : "Detect"),
                page.dialects.map(({ dialect, name }) => h("option", { value: dialect }, name)),
            );
            const isWanted = wanted?.device === page.chosen;
            choice.value = isWanted
                ? wanted.dialect
                : bulb.dialect_chosen && bulb.dialect
                ? bulb.dialect
                : "";
            if (!bulb.dialect_chosen && bulb.dialect) {
                choice.options[0].textContent = page.dialectOf(bulb)?.name ?? bulb.dialect;
            }
            fill(reason, air(bulb.dialect_reason ?? "It is not known yet which kind of bulb this is."));
        },
    };
}
