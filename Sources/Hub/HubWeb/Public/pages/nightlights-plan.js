// What a lamp that is away does by itself: its night as its schedules have it, and the one that what waits for it would make.

/// A number for each day of this browser's calendar.
const dayNumber = (time) => Math.floor((time - new Date(time).getTimezoneOffset() * 60000) / 86400000);

export class AwayPlan {
    constructor(page) {
        this.page = page;
        this.forget();
    }

    forget() {
        Object.assign(this, { night: null, pendingNight: null });
        this.isOld();
    }
    /// Handles that something else may be known of the lamp.
    isOld() {
        this.asked = this.turn = null;
        if (!this.pendingWeek) this.pendingNight = null;
    }

    /// The week that waits for the lamp.
    get pendingWeek() {
        const pending = this.page.current?.memory?.pending ?? [];
        return pending.findLast(({ change }) => change.week)?.change.week ?? null;
    }

    /// The schedule in the week's place today; that of a lamp that is away ends with its days.
    get tonight() {
        const { page } = this, { tonight, tonight_days_left: left, clock } = page.lamp ?? {};
        if (!tonight || page.isLive) return tonight ?? null;
        const read = clock?.device ?? page.current?.memory?.seen;
        return read && dayNumber(page.app.time) < dayNumber(Date.parse(read)) + (left ?? 1) ? tonight : null;
    }

    /// Asks the hub for the nights, once for each lamp and what is known of it.
    async fetch() {
        const { page, pendingWeek, tonight } = this, { week } = page.lamp ?? {};
        if (page.isLive || !week || this.asked === page.lampAddress) return;
        this.asked = page.lampAddress;
        const turn = this.turn = {};
        const own = tonight ? { tonight: { periods: tonight.periods } } : {};
        const night = async (week) => (await page.hub.jobs.previewLight({ week, ...own })).night;
        try {
            const [usual, pending] = await Promise.all([
                night(week),
                pendingWeek ? night(pendingWeek) : null,
            ]);
            // What was asked before something else was known says nothing any more, however late it comes.
            if (this.turn !== turn) return;
            [this.night, this.pendingNight] = [usual, pending];
            page.draw();
        } catch {
            if (this.turn === turn) this.night = this.pendingNight = null;
        }
    }
}
