import { z } from "zod";
import { route, scoped } from "../route.ts";

const NOTE =
  'svc-containment/ks_4c2a\n{"account_wide":false,"activated_at":"2026-11-22T03:00:00.000Z",...}\n\n' +
  "\u2014 svc-audit XCqfPmq...\n";

export const certificateRoutes = {
  getKillSwitchCertificate: route({
    method: "GET",
    path: "/kill-switch/{kill_switch_id}/certificate",
    tag: "Kill switches",
    summary: "Read the containment certificate of a kill switch",
    description:
      "A signed note that says which gateways enforce the switch and since when, which have not " +
      "acknowledged it and deny, and which may still allow a call that it stops. It describes the moment " +
      "at which it is issued, also of a switch that has ended. `svc-cli compliance verify-certificate` " +
      "verifies it without the server. docs/AUDIT-FORMAT.md specifies it.",
    ...scoped("kill_switch:read", "read"),
    params: z.strictObject({ kill_switch_id: z.string().describe("The switch.") }),
    answers: {
      200: {
        description: "The certificate.",
        schema: null,
        texts: {
          "text/plain": {
            description: "A signed note over a line with the id of the switch and a line of JSON.",
            example: NOTE,
          },
        },
      },
    },
    problems: ["not_found", "limit_reached"],
  }),
} as const;
