// Times of light as minutes of a day, and where they stand in a night; colours as people take them.

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
    const hours = Math.floor(value / 60), rest = Math.round(value % 60);
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
        this.offsets = [night, ...night.shines].map(({ from }) => [Date.parse(from), offset(from)])
            .concat([[this.to, offset(night.to)]]).sort((a, b) => a[0] - b[0]);
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
    /// "06:30" of a moment.
    clock(moment) {
        let ahead = this.offsets[0][1];
        for (const [from, one] of this.offsets) if (from <= moment) ahead = one;
        return clockText((moment + ahead) / 60000);
    }
}
const offset = (text) => {
    const sign = text.at(-6) === "-" ? -1 : 1;
    return sign * minutes(text.slice(-5)) * 60000;
};

// MARK: Colours

export const parts = (color) => [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16));
export const hex = (values) =>
    "#" + values.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("");

/// Hue in degrees, and saturation and brightness from 0 to 1.
export function toHSV(color) {
    const [red, green, blue] = parts(color), high = Math.max(red, green, blue);
    const range = high - Math.min(red, green, blue);
    if (!range) return { hue: 0, saturation: 0, brightness: high / 255 };
    const sixth = high === red
        ? (green - blue) / range
        : high === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
    return { hue: (sixth * 60 + 360) % 360, saturation: range / high, brightness: high / 255 };
}
export function fromHSV({ hue, saturation, brightness }) {
    const part = (shift) => {
        const place = (shift + hue / 60) % 6;
        return 255 * brightness * (1 - saturation * Math.max(0, Math.min(place, 4 - place, 1)));
    };
    return hex([part(5), part(3), part(1)]);
}

const luminance = (color) => {
    const [red, green, blue] = parts(color).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
/// What can be read on a colour: dark or white.
export const readable = (color) => (luminance(color) > 0.179 ? "#1B1205" : "#FFFFFF");
