// Generates load in a separate process. Its parent sends commands over the channel, one at a time.
import { COMMANDS, type LoadCommand, type LoadReply } from "../client/commands.ts";

process.on("message", ({ name, input }: LoadCommand) => {
  const command = COMMANDS[name] as (input: unknown) => Promise<unknown>;
  command(input).then(
    (result) => send({ result }),
    (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));

function send(done: LoadReply): void {
  process.send?.(done);
}
