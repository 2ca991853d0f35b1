import { heldCallListSchema, heldCallSchema, heldCallStatusSchema } from "@svc/contract/held-call";
import { nameSchema } from "@svc/contract/name-schema";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, page, route, scoped } from "../route.ts";

const HELD = {
  id: "hld_7Qx0pVd2mYkB9tRzJ4cWn8sLfGa",
  status: "held",
  approval_url: "https://svc.example.com/approvals/hld_7Qx0pVd2mYkB9tRzJ4cWn8sLfGa",
  org_id: "default",
  namespace: "default",
  agent_id: "payments-agent",
  session_id: "s-1",
  tool: "payments.refund",
  decision_id: "gw_1f0c.42",
  requested_by: "9d41c07be2aa",
  held_at: "2026-11-22T09:00:00.000Z",
  expires_at: "2026-11-23T09:00:00.000Z",
  ended_at: null,
  ended_by: null,
  end_reason: null,
} as const;

export const heldCallRoutes = {
  listHeldCalls: route({
    method: "GET",
    path: "/held-calls",
    tag: "Approvals",
    summary: "List held calls",
    description:
      "Calls of agents that rogue detection suspended (severity CRITICAL), newest first. A bound key sees " +
      "those of its agents and namespaces.",
    ...scoped("approval:read", "read"),
    query: z.strictObject({
      status: heldCallStatusSchema.optional().describe("Where they stand. Absent: all."),
      agent_id: nameSchema.optional().describe("Whose calls."),
      session_id: nameSchema.optional().describe("Of which session."),
      tool: nameSchema.optional().describe("Calls of which tool."),
      ...PAGE,
    }),
    answers: {
      200: page("A page of held calls.", heldCallListSchema, { held_calls: [HELD] }),
    },
  }),
  getHeldCall: route({
    method: "GET",
    path: "/held-calls/{held_call_id}",
    tag: "Approvals",
    summary: "Read a held call",
    description:
      "Nobody can approve a held call. When its agent recovers, it is `released`: the agent repeats it, " +
      "and the gateway judges that like any other call. A key without `approval:read` reads the calls that " +
      "it asked about itself.",
    ...scoped("approval:own", "read"),
    params: z.strictObject({ held_call_id: z.string().describe("The held call.") }),
    answers: { 200: answer("The held call.", heldCallSchema, HELD) },
    problems: ["not_found"],
  }),
} as const;
