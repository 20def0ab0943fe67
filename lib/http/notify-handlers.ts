import type { Hub } from "../hub/hub.ts";
import * as log from "../notify/log.ts";
import * as channels from "../notify/manage-channels.ts";
import type { Notify } from "../notify/notify.ts";
import type { NOTIFY_OPERATIONS } from "../protocol/notify-operations.ts";
import type { Handler } from "./handlers.ts";

type NotifyHandlers = { [Id in keyof typeof NOTIFY_OPERATIONS]: Handler<Id> };

/** Channels, and what was sent to them. */
export function notifyHandlers({ ctx }: Notify, hub: Hub): NotifyHandlers {
  return {
    listChannels: (_input, call) => channels.listChannels(ctx, call),
    addChannel: ({ body }, call) => channels.addChannel(ctx, call, body),
    setWish: async ({ params, body }, call) => {
      await channels.setWish(ctx, call, params.id, body.notify);
      return {};
    },
    listSpaceChannels: ({ params }) => channels.listSpaceChannels(ctx, params.id),
    addSpaceChannel: ({ params, body }, call) => channels.addSpaceChannel(ctx, call, params.id, body),
    testChannel: ({ params }, call) => channels.testChannel(ctx, call, params.id),
    confirmChannel: async ({ params, body }, call) => ({
      channel: await channels.confirmChannel(ctx, call, params.id, body.code),
    }),
    removeChannel: async ({ params }, call) => {
      await channels.removeChannel(ctx, call, params.id);
      return {};
    },
    markSeen: async ({ body }, call) => {
      await log.markSeen(ctx, hub, call, body.inbox_item_ids);
      return {};
    },
    listNotifications: async ({ query }, call) => ({
      notifications: await log.listNotifications(ctx, hub, call, query),
    }),
    replayNotification: async ({ params }, call) => {
      await log.replayNotification(ctx, call, params.id);
      return {};
    },
  };
}
