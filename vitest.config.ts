import { defineConfig } from "vitest/config";

// No machine of ours stands there: code that forgets about time zones is off by 5 h 45 min and fails.
process.env.TZ = "Asia/Kathmandu";

export default defineConfig({
  test: {
    include: [
      "lib/**/*.test.ts",
      "components/**/*.test.ts",
      "i18n/*.test.ts",
      "scripts/**/*.test.ts",
      "examples/*.test.ts",
      "server.test.ts",
    ],
    globalSetup: ["scripts/throwaway/vitest-databases.ts"],
    pool: "forks",
    maxWorkers: 2,
    retry: 0,
    // As long as a slow machine needs: what holds is seen at once, so only a failure takes this time.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
