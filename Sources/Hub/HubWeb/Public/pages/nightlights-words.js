// What days and weeks are called.
import { air } from "../text.js";
import { dayKeys, dayNames } from "./nightlights-time.js";

export const weekWord = (week) => (week?.name ? air(`Week “${week.name}”`) : "Week");

/// What is said beside bars that show what waits for a lamp.
export const pendingWords = "Dashed: what is sent when the lamp is back.";

/// "Monday to Friday" of keys.
export function daysWords(keys) {
    const numbers = dayKeys.map((key, index) => (keys.includes(key) ? index : -1)).filter((index) =>
        index >= 0
    );
    const runs = [];
    for (const number of numbers) {
        if (runs.length && runs.at(-1).at(-1) === number - 1) runs.at(-1).push(number);
        else runs.push([number]);
    }
    const words = runs.flatMap((run) =>
        run.length < 3 ? run.map((one) => dayNames[one]) : [`${dayNames[run[0]]} to ${dayNames[run.at(-1)]}`]
    );
    return words.length < 2 ? words[0] ?? "no day" : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
