import type { Starter } from "../starter.ts";

export const slack: Starter = {
  name: "slack",
  package: "@modelcontextprotocol/server-slack",
  registry: "npm",
  version: "2025.4.25",
  isArchived: true,
  tools: {
    slack_list_channels: "reads",
    slack_post_message: "changes",
    slack_reply_to_thread: "changes",
    slack_add_reaction: "changes",
    slack_get_channel_history: "reads",
    slack_get_thread_replies: "reads",
    slack_get_users: "reads",
    slack_get_user_profile: "reads",
  },
  covers: {
    slack_post_message: ["args.channel_id"],
    slack_reply_to_thread: ["args.channel_id", "args.thread_ts"],
  },
};
