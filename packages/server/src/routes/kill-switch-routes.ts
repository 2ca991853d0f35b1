import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { parseKillSwitchActivation, parseKillSwitchDeactivation } from "@svc/contract/parse-kill-switch";
import { problem } from "@svc/contract/problem";
import { activateKillSwitch } from "@svc/control-plane/activate-kill-switch";
import { deactivateKillSwitch } from "@svc/control-plane/deactivate-kill-switch";
import { getKillSwitch } from "@svc/control-plane/get-kill-switch";
import { viewKillSwitch } from "@svc/control-plane/kill-switch-view";
import { listKillSwitches } from "@svc/control-plane/list-kill-switches";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../api-context.ts";
import { readJsonInput } from "../request-input.ts";
import { json, problemAnswer } from "./answers.ts";
import { PAGE_PARAMETERS, readChoice, readPage, takes } from "./read-page.ts";

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
        ? problemAnswer(context, outcome.problem)
        : shown(context, 200, outcome.record);
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
      return shown(context, 201, outcome.answer);
    case "extended":
    case "existing":
      return shown(context, 200, outcome.answer);
    case "dry_run":
      return json(context, 200, outcome.answer);
    case "problem":
      return problemAnswer(context, outcome.problem);
  }
}

async function list(context: ApiContext): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const status = readChoice(context, { name: "status", choices: STATUSES, fallback: "all" });
  if (status.kind === "problem") return problemAnswer(context, status.problem);
  const query = { status: status.value, page: page.value };
  const outcome = await listKillSwitches(context.var.ports, context.var.principal, query);
  if (outcome.kind === "problem") return problemAnswer(context, outcome.problem);
  const now = context.var.ports.clock.now();
  const items = outcome.page.items.map((record) => viewKillSwitch(record, now));
  return json(context, 200, { kill_switches: items, next_cursor: outcome.page.next });
}

async function deactivate(context: ApiContext, id: string): Promise<Response> {
  if (!hasBody(context)) return problemAnswer(context, problem("invalid_request", NO_BODY));
  const input = await readJsonInput(context.env.incoming, parseKillSwitchDeactivation);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const deactivation = { ...input.value, kill_switch_id: id, trigger_source: "api" } as const;
  const outcome = await deactivateKillSwitch(context.var.ports, context.var.principal, deactivation);
  return outcome.kind === "problem"
    ? problemAnswer(context, outcome.problem)
    : shown(context, 200, outcome.answer);
}

function shown(context: ApiContext, status: number, record: KillSwitchRecord): Response {
  return json(context, status, viewKillSwitch(record, context.var.ports.clock.now()));
}

const NO_BODY =
  "Expected a JSON body that says why and who, found none. With curl: " +
  `-X DELETE -H 'content-type: application/json' -d '{"reason":"...","deactivated_by":"..."}'`;

function hasBody({ req }: ApiContext): boolean {
  return req.header("transfer-encoding") !== undefined || (req.header("content-length") ?? "0") !== "0";
}
