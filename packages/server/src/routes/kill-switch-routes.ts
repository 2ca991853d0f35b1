import { parseKillSwitchActivation, parseKillSwitchDeactivation } from "@svc/contract/parse-kill-switch";
import { activateKillSwitch } from "@svc/control-plane/activate-kill-switch";
import { deactivateKillSwitch } from "@svc/control-plane/deactivate-kill-switch";
import { getKillSwitch } from "@svc/control-plane/get-kill-switch";
import { listKillSwitches } from "@svc/control-plane/list-kill-switches";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../http-types.ts";
import { readJsonInput } from "../request-input.ts";
import { json, problemAnswer } from "./answers.ts";
import { readChoice, readPage } from "./query.ts";

const STATUSES = ["active", "inactive", "all"] as const;

/** `kill-switch`: activate, list, read, deactivate. */
export function killSwitchRoutes(ports: ControlPlanePorts): Hono<ApiEnvironment> {
  return new Hono<ApiEnvironment>()
    .post("/", (context) => activate(ports, context))
    .get("/", (context) => list(ports, context))
    .get("/:id", async (context) => {
      const outcome = await getKillSwitch(ports, context.var.principal, context.req.param("id"));
      return outcome.kind === "problem"
        ? problemAnswer(context, outcome)
        : json(context, 200, outcome.record);
    })
    .delete("/:id", (context) => deactivate(ports, context, context.req.param("id")));
}

async function activate(ports: ControlPlanePorts, context: ApiContext): Promise<Response> {
  const input = await readJsonInput(context.env.incoming, parseKillSwitchActivation);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const activation = { ...input.value, trigger_source: "api" } as const;
  const outcome = await activateKillSwitch(ports, context.var.principal, activation);
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

async function list(ports: ControlPlanePorts, context: ApiContext): Promise<Response> {
  const page = readPage(context, ["status"]);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const status = readChoice(context, { name: "status", choices: STATUSES, fallback: "all" });
  if (status.kind === "problem") return problemAnswer(context, status.problem);
  const query = { status: status.value, page: page.value };
  const outcome = await listKillSwitches(ports, context.var.principal, query);
  if (outcome.kind === "problem") return problemAnswer(context, outcome);
  return json(context, 200, { kill_switches: outcome.page.items, next_cursor: outcome.page.next });
}

async function deactivate(ports: ControlPlanePorts, context: ApiContext, id: string): Promise<Response> {
  const input = await readJsonInput(context.env.incoming, parseKillSwitchDeactivation);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const deactivation = { ...input.value, kill_switch_id: id, trigger_source: "api" } as const;
  const outcome = await deactivateKillSwitch(ports, context.var.principal, deactivation);
  return outcome.kind === "problem" ? problemAnswer(context, outcome) : json(context, 200, outcome.answer);
}
