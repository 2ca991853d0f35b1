import type { notificationChannelRoutes } from "@svc/api/notification-channel-routes";
import {
  createChannel,
  getChannel,
  listChannels,
  removeChannel,
  testChannel,
  updateChannel,
} from "@svc/control-plane/channels";
import type { Handlers } from "./handler.ts";
import { created, found, listed, pageOf } from "./reply-found.ts";

export const notificationChannelHandlers: Handlers<typeof notificationChannelRoutes> = {
  createNotificationChannel: async ({ body }, { ports, principal }) =>
    created("notification-channels", await createChannel(ports, principal, body)),
  listNotificationChannels: async ({ query }, { ports, principal }) =>
    listed("notification_channels", await listChannels(ports, principal, pageOf(query))),
  getNotificationChannel: async ({ params }, { ports, principal }) =>
    found(await getChannel(ports, principal, params.notification_channel_id)),
  putNotificationChannel: async ({ params, body: settings }, { ports, principal }) =>
    found(await updateChannel(ports, principal, { id: params.notification_channel_id, settings })),
  deleteNotificationChannel: async ({ params }, { ports, principal }) =>
    found(await removeChannel(ports, principal, params.notification_channel_id)),
  testNotificationChannel: async ({ params }, { ports, principal }) =>
    found(await testChannel(ports, principal, params.notification_channel_id)),
};
