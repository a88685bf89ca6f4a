// Brings the page back when somebody touches a notification. It answers no request and keeps nothing.
addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(
        self.clients.matchAll({ type: "window" }).then(([page]) =>
            page ? page.focus() : self.clients.openWindow("./")
        ),
    );
});
