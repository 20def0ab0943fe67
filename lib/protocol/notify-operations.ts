import { z } from "zod";
import { CONTRACT_LIMITS } from "./limits.ts";
import {
  ChannelId,
  ChannelKinds,
  ChannelTest,
  ChannelView,
  CreatedChannel,
  NewChannel,
  NotificationQuery,
  NotificationView,
} from "./notification.ts";
import { define, type Operation } from "./operation.ts";
import { SpaceId, Wish } from "./space.ts";

const done = z.object({});
const ofSpace = z.object({ id: SpaceId });
const ofChannel = z.object({ id: ChannelId });

/** How people are notified of questions, and what was sent. Nothing here is changed by a GET. */
export const NOTIFY_OPERATIONS = {
  listChannels: define({
    method: "get",
    path: "/api/me/channels",
    needs: ["notify"],
    summary: "List your channels, and what can be added",
    status: 200,
    response: z.object({ channels: z.array(ChannelView).describe("Oldest first.") }).extend(ChannelKinds.shape),
    errors: [],
  }),
  addChannel: define({
    method: "post",
    path: "/api/me/channels",
    needs: ["notify"],
    summary: "Add a channel: a way to notify you",
    description:
      "The same device or address added again takes the place of its older channel. Webhooks belong to spaces: an admin adds them there.",
    body: NewChannel,
    status: 201,
    response: CreatedChannel,
    errors: [],
  }),
  setWish: define({
    method: "post",
    path: "/api/me/spaces/{id}",
    needs: ["account"],
    summary: "Choose what you hear of a space",
    params: ofSpace,
    body: z.object({ notify: Wish }),
    status: 200,
    response: done,
    errors: ["not_found"],
  }),
  listSpaceChannels: define({
    method: "get",
    path: "/api/spaces/{id}/channels",
    needs: ["manage"],
    summary: "List the channels of a space",
    params: ofSpace,
    status: 200,
    response: z.object({ channels: z.array(ChannelView).describe("Oldest first.") }).extend(ChannelKinds.shape),
    errors: ["not_found"],
  }),
  addSpaceChannel: define({
    method: "post",
    path: "/api/spaces/{id}/channels",
    needs: ["manage"],
    summary: "Add a channel to a space",
    description: "Webhooks hear of everything that happens to questions; other channels when a step names `channels`.",
    params: ofSpace,
    body: NewChannel,
    status: 201,
    response: CreatedChannel,
    errors: ["not_found"],
  }),
  testChannel: define({
    method: "post",
    path: "/api/channels/{id}/test",
    needs: ["notify"],
    summary: "Send a test to a channel of yours, or as an admin of a space",
    description: "A test that arrives revives a channel that was given up.",
    params: ofChannel,
    status: 200,
    response: ChannelTest,
    errors: ["not_found"],
  }),
  removeChannel: define({
    method: "post",
    path: "/api/channels/{id}/remove",
    needs: ["notify"],
    summary: "Remove a channel of yours, or as an admin of a space",
    params: ofChannel,
    status: 200,
    response: done,
    errors: ["not_found"],
  }),
  markSeen: define({
    method: "post",
    path: "/api/inbox/seen",
    needs: ["notify"],
    summary: "Say that you have questions on your screen",
    description: "The agent that waits learns who saw its question first. Items that you may not see are ignored.",
    body: z.object({
      inbox_item_ids: z
        .array(z.string().max(100))
        .min(1)
        .max(CONTRACT_LIMITS.batchAnswers)
        .describe("The inbox items."),
    }),
    status: 200,
    response: done,
    errors: [],
  }),
  listNotifications: define({
    method: "get",
    path: "/api/notifications",
    needs: ["notify"],
    summary: "List notifications: about an item, or to a channel",
    description:
      "About an item that you see (`inbox_item_id`), or to a channel of yours (`channel_id`). Without either, those to you. Admins list everybody's.",
    query: NotificationQuery,
    status: 200,
    response: z.object({ notifications: z.array(NotificationView).describe("Newest first.") }),
    errors: ["question_not_found", "not_found"],
  }),
  replayNotification: define({
    method: "post",
    path: "/api/notifications/{id}/replay",
    needs: ["notify"],
    summary: "Send a notification once more",
    description:
      "To a channel of yours, or as an admin to that of a space. It keeps its id, so that a receiver that had it already can tell.",
    params: z.object({ id: z.string().min(1).max(64).describe("The notification.") }),
    status: 200,
    response: done,
    errors: ["not_found"],
  }),
} satisfies Record<string, Operation>;
