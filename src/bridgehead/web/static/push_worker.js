// @ts-check
// Shows push messages of the server, also while no page is open.

/** @typedef {{ title: string, body: string, url: string, tag: string }} PushMessage */
const scope = /** @type {any} */ (self);

scope.addEventListener("push", (/** @type {any} */ event) => {
	/** @type {PushMessage} */
	const { title, body, url, tag } = event.data.json();
	event.waitUntil(scope.registration.showNotification(title, { body, tag, data: url, icon: "/static/favicon.svg" }));
});

scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
	event.notification.close();
	event.waitUntil(scope.clients.openWindow(event.notification.data));
});
