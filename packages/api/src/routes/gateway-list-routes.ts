import { gatewayPageSchema } from "@svc/contract/gateway";
import { answer, route, scoped } from "../route.ts";

const GATEWAY = {
  id: "gw_5c2a9f3e1b7d",
  host: "node-1",
  version: "0.1.0",
  role: "all",
  started_at: "2026-11-22T09:00:00.000Z",
  applied_revision: 4711,
  lag: 0,
  lease_ends_at: "2026-11-22T09:41:08.407Z",
  last_seen_at: "2026-11-22T09:41:07.123Z",
  decisions_per_second: 312.4,
} as const;

export const gatewayListRoutes = {
  listGateways: route({
    method: "GET",
    path: "/gateways",
    tag: "Kill switches",
    summary: "List the processes that enforce kill switches",
    description:
      "Every process that shares the database, for all organizations. A process that ends without leaving " +
      "is listed for ten more seconds. The list has one page.",
    ...scoped("kill_switch:read", "read"),
    answers: {
      200: answer("The processes, by id.", gatewayPageSchema, { gateways: [GATEWAY], next_cursor: null }),
    },
  }),
} as const;
