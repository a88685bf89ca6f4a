// The page before all others, where the hub wants its token.
import { fill, h, mark, say } from "../dom.js";
import { lantern, symbol } from "../marks.js";
import { plain } from "../text.js";

/// Lays the login over everything; close() takes it away.
export function openLogin(app) {
    const field = h("input", {
        id: "token",
        class: "field octets",
        type: "password",
        autocomplete: "current-password",
        required: true,
        "aria-describedby": "token-refused",
    });
    const refused = h("p", { id: "token-refused", class: "refused", role: "alert", hidden: true });
    const button = h("button", { class: "button main wide-button", type: "submit" }, "Sign in");
    const eye = h("button", {
        class: "button icon",
        type: "button",
        "aria-label": "Show the token",
        onclick: () => {
            const shown = field.type === "text";
            field.type = shown ? "password" : "text";
            mark(eye, "aria-label", shown ? "Show the token" : "Hide the token");
            fill(eye, symbol(shown ? "eye" : "eyeoff"));
        },
    }, symbol("eye"));
    const name = h("p", { class: "hint" }, plain(app.hub.state.hub?.name ?? location.hostname));
    app.hub.session().then(({ hub }) => say(name, plain(hub)), () => {});
    let timer;

    const count = (until, reason) => {
        clearInterval(timer);
        const draw = () => {
            const seconds = Math.ceil((until - Date.now()) / 1000);
            const waits = seconds > 0;
            mark(button, "aria-disabled", waits ? "true" : null);
            say(button, waits ? `Sign in, ${seconds} s` : "Sign in");
            const words = waits
                ? `${reason} You can try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`
                : `${reason} You can try again now.`;
            if (refused.hidden) {
                refused.replaceChildren(
                    symbol("warn", 18),
                    h("span", `${reason} You can try again in a moment.`),
                );
            }
            refused.hidden = false;
            say(refused.lastChild, words);
            if (!waits) clearInterval(timer);
        };
        draw();
        timer = setInterval(draw, 1000);
    };
    const submit = async (event) => {
        event.preventDefault();
        if (button.getAttribute("aria-disabled")) return;
        mark(button, "aria-disabled", "true");
        try {
            await app.hub.login(field.value);
            mark(button, "aria-disabled", null);
        } catch (error) {
            mark(field, "aria-invalid", "true");
            count(Date.now() + (error.retryAfter ?? 0) * 1000, error.message);
            field.focus();
            field.select();
        }
    };
    field.addEventListener("input", () => mark(field, "aria-invalid", null));
    const element = h(
        "main",
        { class: "login" },
        lantern(64),
        h("h1", "Lantern"),
        name,
        h(
            "form",
            { class: "card", onsubmit: submit },
            h("label", { for: "token" }, "Token of this hub"),
            h("div", { class: "search" }, symbol("key"), field, eye),
            refused,
            button,
        ),
        h(
            "p",
            { class: "hint token-hint" },
            "The token was shown when the hub was set up. A new one is made in Settings, Access.",
        ),
    );
    document.title = "Sign in, Lantern";
    document.body.append(element);
    field.focus();
    return {
        close: () => {
            clearInterval(timer);
            element.remove();
        },
    };
}
