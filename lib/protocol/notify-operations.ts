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

/** How people are notified about questions, and what was sent. A GET never changes anything. */
export const NOTIFY_OPERATIONS = {
  listChannels: define({
    method: "get",
    path: "/api/me/channels",
    needs: ["notify"],
    resource: "self",
    summary: "List your channels, and the kinds you can add",
    status: 200,
    response: z.object({ channels: z.array(ChannelView).describe("Oldest first.") }).extend(ChannelKinds.shape),
    errors: [],
  }),
  addChannel: define({
    method: "post",
    path: "/api/me/channels",
    needs: ["notify"],
    resource: "self",
    summary: "Add a channel: a way to notify you",
    description:
      "Adding the same device or address again replaces its older channel. Webhooks belong to spaces, where an admin adds them.",
    body: NewChannel,
    status: 201,
    response: CreatedChannel,
    errors: [],
  }),
  setWish: define({
    method: "post",
    path: "/api/me/spaces/{id}",
    needs: ["account"],
    resource: "space",
    summary: "Choose which questions in a space you are notified about",
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
    resource: "space",
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
    resource: "space",
    summary: "Add a channel to a space",
    description: "Webhooks receive every event of a question; other channels are used when a step names `channels`.",
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
    resource: "channel",
    summary: "Send a test to your channel, or as an admin to a space's channel",
    description: "A successful test re-enables a channel that Parley stopped using.",
    params: ofChannel,
    status: 200,
    response: ChannelTest,
    errors: ["not_found"],
  }),
  confirmChannel: define({
    method: "post",
    path: "/api/channels/{id}/confirm",
    needs: ["notify"],
    resource: "channel",
    summary: "Confirm an email address with the code that it was sent",
    description:
      "A new address gets nothing but this code until you confirm it, unless it is your own login and someone has vouched for that. `POST /api/channels/{id}/test` sends the code again.",
    params: ofChannel,
    body: z.object({ code: z.string().min(1).max(40).describe("The code in the email: `WXYZ-2345`.") }),
    status: 200,
    response: z.object({ channel: ChannelView.describe("The channel, now confirmed.") }),
    errors: ["not_found", "token_invalid"],
  }),
  removeChannel: define({
    method: "post",
    path: "/api/channels/{id}/remove",
    needs: ["notify"],
    resource: "channel",
    summary: "Remove your channel, or as an admin a space's channel",
    params: ofChannel,
    status: 200,
    response: done,
    errors: ["not_found"],
  }),
  markSeen: define({
    method: "post",
    path: "/api/inbox/seen",
    needs: ["notify"],
    resource: "conversations",
    summary: "Mark questions as seen",
    description: "The waiting agent learns who saw its question first. Items you may not see are ignored.",
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
    resource: "conversation",
    summary: "List notifications: about an item, or to a channel",
    description:
      "Lists those about an item you can see (`inbox_item_id`) or to your channel (`channel_id`); without either, all of yours. Admins can list everyone's.",
    query: NotificationQuery,
    status: 200,
    response: z.object({ notifications: z.array(NotificationView).describe("Newest first.") }),
    errors: ["question_not_found", "not_found"],
  }),
  replayNotification: define({
    method: "post",
    path: "/api/notifications/{id}/replay",
    needs: ["notify"],
    resource: "notification",
    summary: "Send a notification again",
    description:
      "Sends it to your channel, or as an admin to a space's channel. It keeps its id, so a receiver can recognise a duplicate.",
    params: z.object({ id: z.string().min(1).max(64).describe("The notification.") }),
    status: 200,
    response: done,
    errors: ["not_found"],
  }),
} satisfies Record<string, Operation>;
