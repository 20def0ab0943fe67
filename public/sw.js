// Shows Parley's notifications and answers from them. It caches nothing and handles no other request.
// The names of the page secret are those of lib/protocol/page-secret.ts.

const TEXTS = {
  en: {
    sent: "Answer sent",
    settled: "This question is already settled",
    failed: "Your answer was not sent. Tap to open the question.",
    snoozed: "Snoozed until",
    unreadable: "Something is waiting in Parley",
  },
  zh: {
    sent: "回答已发送",
    settled: "这个问题已经处理完毕",
    failed: "回答未能发送。点按即可打开问题。",
    snoozed: "稍后提醒：",
    unreadable: "Parley 中有新消息",
  },
  ja: {
    sent: "回答を送信しました",
    settled: "この質問はすでに完了しています",
    failed: "回答を送信できませんでした。タップして質問を開いてください。",
    snoozed: "スヌーズ中：",
    unreadable: "Parley に新しいお知らせがあります",
  },
};

/** How long a notification stays that only says what has happened. */
const SHOWN_MS = 4_000;
const ANSWER = "answer:";
/** Until when a question can be put away, by the clock of this device. */
const SNOOZES = {
  "snooze:hour": (now) => new Date(now.getTime() + 3_600_000),
  "snooze:tomorrow": (now) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9),
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil(receive(event.data)));
self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const choice = action.startsWith(ANSWER) ? action.slice(ANSWER.length) : undefined;
  const until = SNOOZES[action]?.(new Date());
  if (until) return event.waitUntil(snooze(notification, until));
  event.waitUntil(choice === undefined ? openPage(pageOf(notification)) : answer(notification, choice));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

/** A push that shows nothing costs the permission in some browsers, so even one that cannot be read is shown. */
async function receive(data) {
  let payload;
  try {
    payload = data.json();
  } catch {
    payload = {};
  }
  const { notification, app_badge } = payload;
  if (app_badge !== undefined) await setBadge(Number(app_badge));
  if (!notification)
    return self.registration.showNotification(textsOf(navigator.language).unreadable, { tag: "unknown" });
  const { title, navigate, data: about, ...options } = notification;
  await show(title, { ...options, data: { ...about, navigate, lang: options.lang } });
  if (about?.event === "settled") await closeSoon(options.tag);
}

function show(title, options) {
  return self.registration.showNotification(title, { icon: "/icon-192.png", badge: "/icon-badge-96.png", ...options });
}

/** Says what became of a question in place of its notification, and disappears. */
async function say(title, { tag, body, data }) {
  await show(title, { tag, body, silent: true, data: { ...data, event: "settled" } });
  await closeSoon(tag);
}

async function closeSoon(tag) {
  await new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
  for (const shown of await self.registration.getNotifications({ tag }))
    if (shown.data?.event === "settled") shown.close();
}

/** Answers as the person who is signed in in this browser. The same press sent twice is one answer. */
async function answer(notification, choice) {
  const { tag, body, data } = notification;
  const { session_id, question_id, content_hash, notification_id, answers, lang } = data;
  const texts = textsOf(lang);
  const response = await fetch("/api/task/answer", {
    method: "POST",
    credentials: "same-origin",
    headers: { ...(await ownHeaders()), "idempotency-key": `${notification_id}:${choice}` },
    body: JSON.stringify({ session_id, question_id, content_hash, answer: answers[choice] }),
  }).catch(() => undefined);
  if (response?.ok) return say(texts.sent, { tag, body, data });
  const page = pageOf(notification);
  page.searchParams.set("choose", choice);
  // Signed out, or claimed by somebody else: the page asks, and has the choice ready.
  if (response?.status === 401 || response?.status === 403) return openPage(page);
  const { error } = (await response?.json().catch(() => undefined)) ?? {};
  if (error?.code === "claimed") return openPage(page);
  if (response?.status === 409 || response?.status === 410) return say(texts.settled, { tag, body, data });
  await show(texts.failed, { tag, body, data: { ...data, navigate: page.href } });
}

/** Puts the question away for the person who is signed in in this browser. Where that fails, its page opens instead. */
async function snooze(notification, until) {
  const { tag, body, data } = notification;
  const response = await fetch("/api/inbox/snooze", {
    method: "POST",
    credentials: "same-origin",
    headers: await ownHeaders(),
    body: JSON.stringify({ inbox_item_ids: [data.inbox_item_id], until: until.toISOString() }),
  }).catch(() => undefined);
  const { results } = (response?.ok && (await response.json().catch(() => undefined))) || {};
  const end = results?.[0]?.snoozed_until;
  if (!end) return openPage(pageOf(notification));
  const time = new Date(end).toLocaleString(data.lang, { weekday: "short", hour: "numeric", minute: "2-digit" });
  await say(`${textsOf(data.lang).snoozed} ${time}`, { tag, body, data });
}

/** Pages leave the page secret in a cache: without it, the cookie of the session counts for nothing. */
async function ownHeaders() {
  const kept = await caches.match("/page-secret", { cacheName: "parley-page-secret" });
  return { "content-type": "application/json", ...(kept && { "x-parley-page-secret": await kept.text() }) };
}

/** A tab that is open shows the page; otherwise a new one does. */
async function openPage(page) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ visibilityState }) => visibilityState === "visible") ?? tabs[0];
  if (!tab) return self.clients.openWindow(page.href);
  tab.postMessage({ open: page.pathname + page.search });
  await tab.focus();
}

/** Where a notification leads: always into this Parley, whatever it says. */
function pageOf({ data }) {
  const here = new URL("/", self.location.origin);
  try {
    const page = new URL(data.navigate, here);
    return page.origin === here.origin ? page : here;
  } catch {
    return here;
  }
}

/** The browser has replaced its subscription: Parley must know the new one. */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription?.options));
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/api/me/channels", {
    method: "POST",
    credentials: "same-origin",
    headers: await ownHeaders(),
    body: JSON.stringify({ target: { kind: "web_push", subscription: { endpoint, keys } } }),
  });
}

async function setBadge(open) {
  await (open > 0 ? navigator.setAppBadge?.(open) : navigator.clearAppBadge?.())?.catch(() => {});
}

function textsOf(lang = "en") {
  return TEXTS[lang.slice(0, 2)] ?? TEXTS.en;
}
