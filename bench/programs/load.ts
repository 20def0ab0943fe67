// The load, in a process of its own, told over the channel to its parent what to do, one thing at a time.
import { COMMANDS, type Done, type Told } from "../client/commands.ts";

process.on("message", (told: Told) => {
  const command = COMMANDS[told.name] as (given: unknown) => Promise<unknown>;
  command(told.given).then(
    (result) => say({ result }),
    (error: unknown) => say({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));

function say(done: Done): void {
  process.send?.(done);
}
