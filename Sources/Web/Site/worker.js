// Keeps the pages, so that they work without a network, and brings one back when somebody touches a notification.
// Scripts/build-web fills in which files there are; another version is another cache.
const version = "VERSION";
const files = [
    "./",
    // FILES
];

addEventListener("install", (event) => {
    event.waitUntil(
        caches.open(version)
            .then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: "reload" }))))
            .then(() => self.skipWaiting()),
    );
});

addEventListener("activate", (event) => {
    event.waitUntil(
        caches.keys()
            .then((names) =>
                Promise.all(names.filter((name) => name !== version).map((name) => caches.delete(name)))
            )
            .then(() => self.clients.claim()),
    );
});

addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
    event.respondWith(
        caches.open(version)
            .then((cache) => cache.match(request, { ignoreSearch: true }))
            .then((kept) => kept ?? fetch(request)),
    );
});

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(
        self.clients.matchAll({ type: "window" }).then(([page]) =>
            page ? page.focus() : self.clients.openWindow("./")
        ),
    );
});
