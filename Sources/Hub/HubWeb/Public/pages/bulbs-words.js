// Words and colours of bulbs: what one shows, as a person says it and as an eye sees it.
import { colourName, partsOf, textOf } from "../colours.js";

/// White light as the page draws it.
export const whiteLight = "#FFE9C9";

/// What a state shows, in words; `effects` gives the names of the dialect.
export function stateWords(state, effects) {
    if (!state) return "";
    if (!state.power) return "Off";
    return lightWords(state, effects);
}

export function lightWords(state, effects = []) {
    if (state.mode === "white") return `White, ${state.white_percent}%`;
    if (state.mode === "effect") {
        return effects.find(({ code }) => code === state.effect)?.name ?? `Effect ${state.effect}`;
    }
    const parts = partsOf(state.color);
    if (!parts.level) return "Black";
    return `${colourName(textOf({ ...parts, level: 1 }))}, ${Math.round(parts.level * 100)}%`;
}

/// The colour that stands for a state; null for what is dark and for an effect.
export function stateColour(state) {
    if (!state?.power || state.mode === "effect") return null;
    if (state.mode === "white") return whiteLight;
    const parts = partsOf(state.color);
    // Of a dim light one sees the hue.
    return parts.level ? textOf({ ...parts, level: Math.max(0.72, parts.level) }) : null;
}

/// The value of a state as it was sent or said: a colour's octets, else words.
export const stateValue = (state, effects) =>
    !state
        ? "Not known"
        : !state.power
        ? "Off"
        : state.mode === "color"
        ? state.color.toUpperCase()
        : lightWords(state, effects);

/// What a bulb does, as far as anybody knows: what was asked counts until it says otherwise.
export function stateOf(bulb) {
    if (!bulb) return null;
    const { asked, said, agrees, busy } = bulb;
    return said && (agrees === false && !busy || !asked) ? said : asked ?? said;
}

/// How fast, of a slider from 0 to 100: an effect's octet, of which 1 is the fastest, and a turn of all hues in ms.
export const speedOctet = (value) => Math.round(31 - 0.3 * value);
export const turnLength = (value) => Math.round(30000 * (1 / 30) ** (value / 100) / 100) * 100;
export const speedOfTurn = (turn) => Math.round(100 * Math.log(turn / 30000) / Math.log(1 / 30));
