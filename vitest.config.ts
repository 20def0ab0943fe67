import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// None of our machines are in this time zone, so code that forgets about time zones is off by 5 h 45 min and fails.
process.env.TZ = "Asia/Kathmandu";

const ALL = ["{components,lib,scripts}/**/*.test.ts", "{examples,i18n}/*.test.ts"];
/**
 * Files that run in one process after another, because loading Parley for each would cost more than its tests. The two that
 * measure the CPU time of their process have one of their own, and so has every file elsewhere.
 */
const SHARED = [
  "components/**/!(markdown).test.ts",
  "i18n/*.test.ts",
  "lib/{domain,http,hub,mcp,notify,protocol,realtime}/**/!(worst-cases|characters).test.ts",
];

const project = (name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration => ({
  test: {
    name,
    pool: "forks",
    retry: 0,
    // A test leaves nothing behind for the next one.
    restoreMocks: true,
    // As long as a slow machine needs: what holds is seen at once, so only a failure takes this time.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    ...test,
  },
});

export default defineConfig({
  test: {
    globalSetup: ["scripts/throwaway/vitest-databases.ts"],
    // On two cores: while two of them wait for a timer, a disk or a child, the others keep the machine busy.
    maxWorkers: 4,
    projects: [
      project("shared", { include: SHARED, isolate: false }),
      project("alone", { include: ALL, exclude: SHARED }),
    ],
  },
});
