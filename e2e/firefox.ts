import { mkdir } from "node:fs/promises";
import path from "node:path";
import puppeteer, { type Browser } from "puppeteer-core";

/** A port at which nothing listens: every request that is not for this machine fails there. */
const NOWHERE = 9;
/** As long as a slow machine needs: only a failure takes this time. */
const START_MS = 180_000;

/** Starts Firefox without a screen, with its home and its profile in `folder`, and with this push service. */
export async function startFirefox(program: string, folder: string, pushService: string): Promise<Browser> {
  const [home, profile] = [path.join(folder, "home"), path.join(folder, "profile")];
  await Promise.all([mkdir(home), mkdir(profile)]);
  return puppeteer.launch({
    browser: "firefox",
    executablePath: program,
    headless: true,
    timeout: START_MS,
    userDataDir: profile,
    env: { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" },
    extraPrefsFirefox: {
      "dom.push.serverURL": pushService,
      "dom.push.testing.allowInsecureServerURL": true,
      "dom.push.connection.enabled": true,
      // The person has agreed.
      "permissions.default.desktop-notification": 1,
      // There is no desktop that could show a notification; Firefox shows it itself.
      "alerts.useSystemBackend": false,
      "intl.accept_languages": "en",
      "network.proxy.type": 1,
      "network.proxy.http": "127.0.0.1",
      "network.proxy.http_port": NOWHERE,
      "network.proxy.ssl": "127.0.0.1",
      "network.proxy.ssl_port": NOWHERE,
    },
  });
}
