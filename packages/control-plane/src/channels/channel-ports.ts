import type { ControlPlanePorts } from "../ports.ts";

export type ChannelPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "newId" | "digest" | "notificationChannels" | "deliveries" | "rows" | "sealedSecrets"
> &
  Pick<ControlPlanePorts, "destinations" | "namespaces" | "approvalWorkflows">;
