// Times of light as minutes of a day, and where they stand in a night; what can be read on a colour.
import { octetsOf } from "../colours.js";

const two = (value) => String(value).padStart(2, "0");
export const dayKeys = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// 450 for "07:30".
export const minutes = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
/// "07:30" for 450, and for 1890.
export const clockText = (value) => {
    const within = ((Math.round(value) % 1440) + 1440) % 1440;
    return `${two(Math.floor(within / 60))}:${two(within % 60)}`;
};
/// "07:30" of what somebody has typed: 7:30, 0730, 07.30; null when it is no time.
export function readClock(text) {
    const found = text.trim().match(/^([01]?\d|2[0-3])[:.h ]?([0-5]\d)$/);
    return found ? `${found[1].padStart(2, "0")}:${found[2]}` : null;
}
/// How long a period is, to its off marker.
export const lasts = ({ on, off }) => ((minutes(off) - minutes(on)) + 1440) % 1440 || 1440;
/// "1 h 35 min".
export function lengthWords(value) {
    const whole = Math.round(value), hours = Math.floor(whole / 60), rest = whole % 60;
    return !hours ? `${rest} min` : rest ? `${hours} h ${rest} min` : `${hours} h`;
}

/// The day of a date such as 2026-11-21: 0 is Monday.
export const dayOf = (date) => (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
/// "Thursday 19 November" of a date.
export function dateWords(date, { year = false } = {}) {
    const options = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" };
    const parts = Object.fromEntries(
        new Intl.DateTimeFormat("en", year ? { ...options, year: "numeric" } : options)
            .formatToParts(new Date(`${date}T12:00:00Z`)).map(({ type, value }) => [type, value]),
    );
    return `${parts.weekday} ${parts.day} ${parts.month}${year ? ` ${parts.year}` : ""}`;
}
export const nextDate = (date) =>
    new Date(Date.parse(`${date}T12:00:00Z`) + 86400000).toISOString().slice(0, 10);

/// A night as a scale: where a moment stands, and which time of the clock a place is.
export class NightScale {
    constructor(night) {
        this.from = Date.parse(night.from);
        this.to = Date.parse(night.to);
        // How far the clock is before UTC from when on: it may change in the night.
        this.offsets = [[this.from, offset(night.from)]];
        const change = night.clock_change;
        if (change) this.offsets.push([Date.parse(change), offset(change)]);
    }
    /// In per cent from the left.
    place(moment) {
        const at = typeof moment === "string" ? Date.parse(moment) : moment;
        return Math.max(0, Math.min(100, (at - this.from) / (this.to - this.from) * 100));
    }
    /// The moment at a part of the width, from 0 to 1.
    at(part) {
        return this.from + Math.max(0, Math.min(1, part)) * (this.to - this.from);
    }
    /// "06:30" of a moment: the minute that has begun, as clocks show it and the hub's sentences say it.
    clock(moment) {
        let ahead = this.offsets[0][1];
        for (const [from, one] of this.offsets) if (from <= moment) ahead = one;
        return clockText(Math.floor((moment + ahead) / 60000));
    }
}
const offset = (text) => {
    const sign = text.at(-6) === "-" ? -1 : 1;
    return sign * minutes(text.slice(-5)) * 60000;
};

// MARK: Colours

const luminance = (color) => {
    const [red, green, blue] = octetsOf(color).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
/// What can be read on a colour: dark or white.
export const readable = (color) => (luminance(color) > 0.179 ? "#1B1205" : "#FFFFFF");
