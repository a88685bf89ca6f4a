// SPDX-License-Identifier: Apache-2.0
// The hub's own place on the map, and the button that goes there or offers this browser's place.
import { h, mark } from "../dom.js";
import { dialog, toast } from "../overlays.js";

export class OwnPlace {
    constructor(page, button) {
        this.page = page;
        this.button = button;
        mark(button, "aria-pressed", "false");
    }

    get location() {
        return this.page.hub.state.hub.location;
    }
    get isKnown() {
        return this.location.state === "fix" && this.location.latitude !== null;
    }

    /// What the map shows of it.
    get items() {
        if (!this.isKnown) return [];
        const { latitude, longitude, heading, speed } = this.location;
        const moves = heading !== null && heading !== undefined && !(speed < 0.5);
        return [{
            key: "me",
            kind: "me",
            latitude,
            longitude,
            heading: moves ? heading : null,
            away: this.page.app.away,
        }];
    }

    /// The place has changed: it is drawn anew, and followed where that is wanted.
    draw() {
        const { page } = this;
        if (!page.features) return;
        if (this.isFollowing && this.isKnown) page.view.centre(this.location);
        const held = page.features.held.get("me"), [item] = this.items;
        if (!held || !item) return page.show();
        held.item = item;
        page.features.update(held);
    }

    follow(wanted) {
        this.isFollowing = wanted;
        mark(this.button, "aria-pressed", String(wanted));
    }

    press() {
        const { page } = this;
        if (!page.view) return;
        if (this.isFollowing) return this.follow(false);
        if (this.isKnown) {
            this.follow(true);
            page.view.centre(this.location, Math.max(15, page.view.map.getZoom()));
            return;
        }
        if (page.app.away) return toast(page.app.tryLater);
        const { source } = page.hub.state.settings.location;
        if (source === "browser") return this.send();
        dialog(
            source === "none" ? "No place yet" : "No fix yet",
            h(
                "p",
                { class: "second" },
                `This browser can tell its place${
                    source === "none" ? "" : " instead"
                }, as long as these pages are open here.`,
            ),
            {
                sheet: true,
                actions: [
                    ["Other places", "", () => {
                        location.hash = "#/settings/location";
                    }],
                    ["Use this browser", "main", async () => {
                        try {
                            await page.hub.changeSettings({ location: { source: "browser" } });
                            this.send();
                        } catch (error) {
                            toast(error.message);
                        }
                    }],
                ],
            },
        );
    }

    send() {
        this.page.app.browserPlace.start();
        this.follow(true);
    }
}
