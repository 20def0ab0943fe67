import { defineConfig, devices } from "@playwright/test";
import { chromium } from "./scripts/setup/chromium.mjs";

const desktop = devices["Desktop Chrome"];
const launchOptions = {
  executablePath: chromium.shell,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 3,
  timeout: 300_000,
  // As long as a slow machine needs. What is on the page is found immediately, so only a failure takes this long.
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    ...desktop,
    launchOptions,
    // Pictures and copies of every page take 40 of 100 CPU seconds: `--trace on` records them for one test.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "desktop", testIgnore: "**/service-worker.spec.ts", use: { viewport: { width: 1280, height: 800 } } },
    // Only the whole browser shows notifications.
    {
      name: "whole browser",
      testMatch: "**/service-worker.spec.ts",
      use: { launchOptions: { ...launchOptions, executablePath: chromium.whole } },
    },
    // The journeys are the same there; what differs is how it looks.
    {
      name: "phone",
      testMatch: "**/screens.spec.ts",
      grepInvert: /@desktop/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
});
