import { defineConfig, devices } from "@playwright/test";

const desktop = devices["Desktop Chrome"];

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
    launchOptions: {
      executablePath: process.env.PARLEY_CHROMIUM || "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // Pictures and copies of every page take 40 of 100 CPU seconds: `--trace on` records them for one test.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 800 } } },
    // The journeys are the same there; what differs is how it looks.
    {
      name: "phone",
      testMatch: "**/screens.spec.ts",
      grepInvert: /@desktop/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
});
