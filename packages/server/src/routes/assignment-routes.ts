import { parsePolicyAssignment } from "@svc/contract/parse-policy-requests";
import { assignPolicy } from "@svc/control-plane/assign-policy";
import { listAssignments } from "@svc/control-plane/list-assignments";
import { unassignPolicy } from "@svc/control-plane/unassign-policy";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../api-context.ts";
import { readJsonInput } from "../request-input.ts";
import { json, problemAnswer } from "./answers.ts";
import { PAGE_PARAMETERS, readPage, takes } from "./read-page.ts";

/** `policy-assignments`: bind a policy to an agent or a namespace, list, unbind. */
export function assignmentRoutes(): Hono<ApiEnvironment> {
  return new Hono<ApiEnvironment>()
    .post("/", takes(), assign)
    .get("/", takes(...PAGE_PARAMETERS), list)
    .delete("/:id", takes(), async (context) => {
      const { ports, principal } = context.var;
      const outcome = await unassignPolicy(ports, principal, context.req.param("id"));
      if (outcome.kind === "problem") return problemAnswer(context, outcome.problem);
      return json(context, 200, { ...outcome.record, ...outcome.acknowledgements });
    });
}

async function assign(context: ApiContext): Promise<Response> {
  const input = await readJsonInput(context.env.incoming, parsePolicyAssignment);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const outcome = await assignPolicy(context.var.ports, context.var.principal, input.value);
  switch (outcome.kind) {
    case "assigned":
      return json(context, 201, { ...outcome.record, ...outcome.acknowledgements });
    case "existing":
      return json(context, 200, outcome.record);
    case "problem":
      return problemAnswer(context, outcome.problem);
  }
}

async function list(context: ApiContext): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const outcome = await listAssignments(context.var.ports, context.var.principal, page.value);
  if (outcome.kind === "problem") return problemAnswer(context, outcome.problem);
  return json(context, 200, { policy_assignments: outcome.page.items, next_cursor: outcome.page.next });
}
