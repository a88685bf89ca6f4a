// What a person marks a source as: mine, muted or a false alarm. One of the three holds at a time.

const marks = {
    mine: { was: "mine", said: "Marked as mine", off: "No longer marked as mine." },
    muted: { was: "muted", said: "Muted", off: "No longer muted." },
    false_alarm: { was: "a false alarm", said: "Marked as a false alarm", off: "No longer a false alarm." },
};
/// Numbers that a hub takes at once.
const mostNumbers = 10000;
export const ownMarks = Object.keys(marks);

/// What is said when a mark is set.
export const markedWords = (name) => marks[name].said;

/// What a hub is asked for, one after the other, so that each of many sources has the mark again that it had before
/// they all got this one: `before` has their numbers by that mark.
export function takenBack(name, before) {
    const asked = [];
    for (const [was, ids] of Object.entries(before)) {
        // What had it then has it still.
        if (was === name) continue;
        for (let at = 0; at < ids.length; at += mostNumbers) {
            const sources = ids.slice(at, at + mostNumbers);
            asked.push(was === "none" ? [name, { sources }, false] : [was, { sources }]);
        }
    }
    return asked;
}

/// What a press on a mark of a source sends, what is said of it, and what is sent to take it back.
export function turned(source, name) {
    if (source[name]) {
        return { values: { [name]: false }, words: marks[name].off, back: { [name]: true } };
    }
    const before = ownMarks.find((one) => source[one]);
    const instead = before ? `, no longer ${marks[before].was}` : "";
    return {
        values: { [name]: true },
        words: `${marks[name].said}${instead}. It raises no alert.`,
        back: before ? { [before]: true } : { [name]: false },
    };
}
