import { parseKillSwitchActivation, parseKillSwitchDeactivation } from "@svc/contract/parse-kill-switch";
import { activateKillSwitch } from "@svc/control-plane/activate-kill-switch";
import { deactivateKillSwitch } from "@svc/control-plane/deactivate-kill-switch";
import { getKillSwitch } from "@svc/control-plane/get-kill-switch";
import { listKillSwitches } from "@svc/control-plane/list-kill-switches";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../http-types.ts";
import { readJsonInput } from "../request-input.ts";
import { json, problemAnswer } from "./answers.ts";
import { PAGE_PARAMETERS, readChoice, readPage, takes } from "./query.ts";

const STATUSES = ["active", "inactive", "all"] as const;

/** `kill-switch`: activate, list, read, deactivate. */
export function killSwitchRoutes(): Hono<ApiEnvironment> {
  return new Hono<ApiEnvironment>()
    .post("/", takes(), activate)
    .get("/", takes("status", ...PAGE_PARAMETERS), list)
    .get("/:id", takes(), async (context) => {
      const { ports, principal } = context.var;
      const outcome = await getKillSwitch(ports, principal, context.req.param("id"));
      return outcome.kind === "problem"
        ? problemAnswer(context, outcome)
        : json(context, 200, outcome.record);
    })
    .delete("/:id", takes(), (context) => deactivate(context, context.req.param("id")));
}

async function activate(context: ApiContext): Promise<Response> {
  const input = await readJsonInput(context.env.incoming, parseKillSwitchActivation);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const activation = { ...input.value, trigger_source: "api" } as const;
  const outcome = await activateKillSwitch(context.var.ports, context.var.principal, activation);
  switch (outcome.kind) {
    case "activated":
      return json(context, 201, outcome.answer);
    case "existing":
    case "rehearsed":
      return json(context, 200, outcome.answer);
    case "problem":
      return problemAnswer(context, outcome);
  }
}

async function list(context: ApiContext): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const status = readChoice(context, { name: "status", choices: STATUSES, fallback: "all" });
  if (status.kind === "problem") return problemAnswer(context, status.problem);
  const query = { status: status.value, page: page.value };
  const outcome = await listKillSwitches(context.var.ports, context.var.principal, query);
  if (outcome.kind === "problem") return problemAnswer(context, outcome);
  return json(context, 200, { kill_switches: outcome.page.items, next_cursor: outcome.page.next });
}

async function deactivate(context: ApiContext, id: string): Promise<Response> {
  const input = await readJsonInput(context.env.incoming, parseKillSwitchDeactivation);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const deactivation = { ...input.value, kill_switch_id: id, trigger_source: "api" } as const;
  const outcome = await deactivateKillSwitch(context.var.ports, context.var.principal, deactivation);
  return outcome.kind === "problem" ? problemAnswer(context, outcome) : json(context, 200, outcome.answer);
}
