// @ts-check
// Shows push messages of the server, also while no page is open.

/** @typedef {{ title: string, body: string, url: string, tag: string }} PushMessage */
/**
 * What a worker has for push messages.
 * @typedef {object} PushScope
 * @property {{ showNotification(title: string, options: NotificationOptions): Promise<void> }} registration
 * @property {{ openWindow(url: string): Promise<unknown> }} clients
 * @property {(name: string, handler: (event: PushEvents) => void) => void} addEventListener
 */
/**
 * @typedef {object} PushEvents
 * @property {{ json(): PushMessage }} data
 * @property {{ data: string, close(): void }} notification
 * @property {(done: Promise<unknown>) => void} waitUntil
 */
const scope = /** @type {PushScope} */ (/** @type {unknown} */ (self));

scope.addEventListener("push", (event) => {
	const { title, body, url, tag } = event.data.json();
	event.waitUntil(scope.registration.showNotification(title, { body, tag, data: url, icon: "/static/favicon.svg" }));
});

scope.addEventListener("notificationclick", (event) => {
	event.notification.close();
	event.waitUntil(scope.clients.openWindow(event.notification.data));
});
