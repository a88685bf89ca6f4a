// Effects of bulbs: buttons that begin and end them, and how fast they are.
import { h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { speedOctet, speedOfTurn, stateOf, turnLength } from "./bulbs-words.js";

const wave = () => symbol("wave", 18);

/// All hues, which the hub plays, and then what the bulb has of its own.
export function effectButtons(page, effects, kind = "effects") {
    const { bulb } = page, state = stateOf(bulb), plays = state?.power && !bulb?.turn ? state.effect : null;
    const one = (name, on, begin, end) =>
        h(
            "button",
            {
                class: "effect",
                type: "button",
                "aria-pressed": String(Boolean(on)),
                onclick: on ? end : begin,
            },
            wave(),
            h("span", name),
            symbol(on ? "stop" : "play", 16),
        );
    return h(
        "div",
        { class: kind },
        one(
            "All hues",
            bulb?.turn,
            () => page.give({ command: "cycle", turn: turnLength(page.speed) }),
            () => page.stopCycle(),
        ),
        effects.map(({ code, name }) =>
            one(
                name,
                plays === code,
                () => page.give({ command: "effect", effect: code, speed: speedOctet(page.speed) }),
                // A bulb knows no end of an effect but another light.
                () => page.give({ command: "color", color: "#FFFFFF" }),
            )
        ),
    );
}

/// How fast: of the effect that plays, or of the next one.
export function speedSlider(page) {
    const turn = page.bulb?.turn;
    if (turn) page.speed = Math.min(100, Math.max(0, speedOfTurn(turn)));
    const value = h("output", { "aria-hidden": "true" });
    const range = h("input", {
        class: "slider",
        type: "range",
        min: "0",
        max: "100",
        value: String(page.speed),
        "aria-label": "Speed",
        oninput: () => draw(),
        onchange: () => {
            const { bulb } = page, state = stateOf(bulb);
            if (bulb?.turn) page.give({ command: "cycle", turn: turnLength(page.speed) });
            else if (state?.power && state.mode === "effect") {
                page.give({ command: "effect", effect: state.effect, speed: speedOctet(page.speed) });
            }
        },
    });
    const draw = () => {
        page.speed = Number(range.value);
        range.style.setProperty("--part", `${range.value}%`);
        const words = page.bulb?.turn
            ? `${(turnLength(page.speed) / 1000).toFixed(1).replace(".0", "")} s for all hues`
            : page.speed > 66
            ? "Fast"
            : page.speed > 33
            ? "Medium"
            : "Slow";
        say(value, words);
        mark(range, "aria-valuetext", words);
    };
    draw();
    return h("label", { class: "bulb-speed" }, h("span", "Speed"), range, value);
}
