import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// None of our machines are in this time zone, so code that forgets about time zones is off by 5 h 45 min and fails.
process.env.TZ = "Asia/Kathmandu";

const ALL = ["{components,lib,scripts}/**/*.test.ts", "{examples,i18n}/*.test.ts"];
/**
 * These have a process of their own: they measure its CPU time or memory, or replace a module. Every other file shares one,
 * because loading Parley for each would cost more than its tests.
 */
const ALONE = [
  "components/ui/markdown.test.ts",
  "lib/auth/accounts.test.ts",
  "lib/db/sqlite-aside.test.ts",
  "lib/hub/worst-cases.test.ts",
  "lib/protocol/characters.test.ts",
  "scripts/chaos/crowd/crowd.test.ts",
  "scripts/chaos/soak/soak.test.ts",
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

/** Those that take longest begin first. Otherwise one of them would begin last, and run alone at the end. */
const LONGEST =
  /scripts\/chaos\/|lib\/agents\/claude\/|lib\/cli\/|silent-database|claude-code|notify\.test|matrix|http\/team/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ["scripts/throwaway/vitest-databases.ts"],
    // On two cores: while two of them wait for a timer, a disk or a child, the others keep the machine busy.
    maxWorkers: 4,
    projects: [
      project("shared", { include: ALL, exclude: ALONE, isolate: false }),
      project("alone", { include: ALONE }),
    ],
  },
});
