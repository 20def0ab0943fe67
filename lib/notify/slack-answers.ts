import { z } from "zod";
import { NOTIFICATION_TEXTS } from "../../i18n/notifications.ts";
import { change } from "../auth/context.ts";
import { removeChannel, updateChannel } from "../db/team/statements.ts";
import { QUESTION_TYPES } from "../domain/question-types.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor } from "../protocol/actor.ts";
import { isParleyError } from "../protocol/errors.ts";
import type { Interaction, Slack } from "./channels/slack.ts";
import { answersIn, FormState, OPEN_ACTION, Reference } from "./channels/slack-blocks.ts";
import type { NotifyContext } from "./context.ts";
import { languageFor, linkTo } from "./texts-for.ts";

// What people do in Slack. Only Slack's own socket leads here. Who clicked is who Slack says; which person that is, they
// confirmed in Slack themselves. A repeated click has the same idempotency key, so it answers once.

const Action = z.object({ action_id: z.string(), action_ts: z.string().optional(), value: z.string().optional() });
const Click = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string() }),
  trigger_id: z.string().optional(),
  container: z.object({ channel_id: z.string().optional(), message_ts: z.string().optional() }).optional(),
  actions: z.array(Action).min(1),
});
const Submission = z.object({
  type: z.literal("view_submission"),
  user: z.object({ id: z.string() }),
  view: z.object({ id: z.string(), callback_id: z.string(), private_metadata: z.string(), state: FormState }),
});
const Body = z.discriminatedUnion("type", [Click, Submission]);

export type SlackOptions = {
  ctx: NotifyContext;
  slack: Slack;
  hub: Pick<Hub, "answer" | "readAsk">;
  /** The person as an actor; undefined if they may do nothing. */
  actorOf: (person_id: string) => Actor | undefined;
};

/** Handles one interaction: acknowledges it immediately, then acts on it. Refusals are explained to the person. */
export async function onInteraction(options: SlackOptions, { ack, body }: Interaction): Promise<void> {
  const { ctx } = options;
  try {
    await ack();
    const parsed = Body.safeParse(body);
    if (!parsed.success) return;
    await (parsed.data.type === "block_actions" ? onClick(options, parsed.data) : onForm(options, parsed.data));
  } catch (error) {
    ctx.onError(error);
  }
}

async function onClick(options: SlackOptions, click: z.infer<typeof Click>): Promise<void> {
  const { ctx, slack, hub } = options;
  const [action] = click.actions;
  const user = click.user.id;
  if (!action || action.action_id === OPEN_ACTION) return;
  const to = { channel: click.container?.channel_id ?? user, user };
  if (action.action_id === "confirm") return confirm(options, action.value ?? "", to);
  await explaining(options, to, async (actor, person_id) => {
    const reference = Reference.parse(JSON.parse(action.value ?? "{}"));
    const call = { actor, now: ctx.clock() };
    const of = { conversation_id: reference.c, tool_use_id: reference.t };
    const ask = await hub.readAsk(call, of);
    const [question] = ask.questions;
    if (action.action_id === "form") {
      const item = {
        inbox_item_id: ask.inbox_item_id,
        ask,
        agent: ask.asked_by.name,
        title: null,
        space_id: "",
        space_name: null,
        url: linkTo(ctx, ask),
      };
      await slack.openForm(click.trigger_id ?? "", slack.formOf(item, languageFor(ctx, person_id)));
      return;
    }
    if (!question || reference.o === null) return;
    const answer = QUESTION_TYPES[question.type].submit({ option_ids: [reference.o], text: null });
    const key = `slack:${click.container?.message_ts}:${action.action_ts}:${user}`;
    await hub.answer(
      call,
      { conversation_id: reference.c, question_id: question.question_id, answer, content_hash: reference.h },
      key,
    );
  });
}

async function onForm(options: SlackOptions, { user, view }: z.infer<typeof Submission>): Promise<void> {
  const { ctx, hub } = options;
  await explaining(options, { channel: user.id, user: user.id }, async (actor) => {
    const reference = Reference.parse(JSON.parse(view.private_metadata));
    const of = { conversation_id: reference.c, tool_use_id: reference.t };
    const call = { actor, now: ctx.clock() };
    const ask = await hub.readAsk(call, of);
    const answers = answersIn(ask, view.state);
    await hub.answer(call, { ...of, answers, content_hash: reference.h }, `slack:${view.id}:${user.id}`);
  });
}

/** Does the work as the person behind a Slack account, and tells them if it was refused. */
async function explaining(
  { ctx, slack, actorOf }: SlackOptions,
  to: { channel: string; user: string },
  work: (actor: Actor, person_id: string) => Promise<void>,
): Promise<void> {
  const person_id = personOf(ctx, to.user);
  const texts = NOTIFICATION_TEXTS[languageFor(ctx, person_id ?? null)];
  const actor = person_id === undefined ? undefined : actorOf(person_id);
  if (person_id === undefined || !actor) return slack.whisper(to, texts.notLinked);
  try {
    await work(actor, person_id);
  } catch (error) {
    if (!isParleyError(error)) throw error;
    // Who may not see a question must not learn that it exists.
    const isHidden = error.code === "session_not_found" || error.code === "question_not_found";
    await slack.whisper(to, isHidden ? texts.notShown : error.message);
  }
}

/** Whose Slack account it is, if they confirmed it. */
function personOf(ctx: NotifyContext, user: string): string | undefined {
  for (const { id, kind, person_id, unconfirmed_since, target } of ctx.auth.directory.channels) {
    if (kind !== "slack" || person_id === null || unconfirmed_since !== null) continue;
    const address = ctx.cipher.decrypt(id, target);
    if (address?.kind === "slack" && address.address === user) return person_id;
  }
  return undefined;
}

/** The account confirms whose it is. If someone else in Parley had it, they lose it. */
async function confirm(
  { ctx, slack, actorOf }: SlackOptions,
  channel_id: string,
  to: { channel: string; user: string },
): Promise<void> {
  const own = ctx.auth.directory.channels.filter(({ id, kind, person_id, target }) => {
    if (kind !== "slack" || person_id === null) return false;
    const address = ctx.cipher.decrypt(id, target);
    return address?.kind === "slack" && address.address === to.user;
  });
  const confirmed = own.find(({ id }) => id === channel_id);
  const actor = actorOf(confirmed?.person_id ?? "");
  if (!actor) return;
  const now = ctx.clock();
  const statements = own.map(({ id }) =>
    id === channel_id ? updateChannel(id, { unconfirmed_since: null, verified_at: now }) : removeChannel(id),
  );
  const removed = own.filter(({ id }) => id !== channel_id).map(({ id }) => id);
  const after = { channel_id, kind: "slack", removed };
  await change(ctx.auth, statements, { action: "channel.confirmed", actor: decidedBy(actor), at: now, after });
  await slack.whisper(to, NOTIFICATION_TEXTS.en.confirm.done);
}
