// @ts-check
// Load inside a peer's own process, which needs no HTTP: `{ askers, ms }` arrives over the channel, `{ count, perSecond }`
// goes back.

const QUESTION = {
  text: "Shall I deploy the new version to production?",
  header: "Deploy",
  options: ["Now", "Tonight", "Next week"].map((label) => ({ label, description: `Deploy ${label.toLowerCase()}.` })),
};

/** @param {(question: object) => Promise<void>} roundTrip */
export function serveSlices(roundTrip) {
  process.on("message", async (/** @type {{ askers: number, ms: number }} */ { askers, ms }) => {
    const from = performance.now();
    let count = 0;
    const asker = async () => {
      while (performance.now() - from < ms) {
        await roundTrip(QUESTION);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: askers }, asker));
    process.send?.({ count, perSecond: (count / (performance.now() - from)) * 1_000 });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}
