import type { RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES, type ControlOperationId } from "@svc/api/route-table";
import { type Problem, problem } from "@svc/contract/problem";
import { ROLES, scopesOf } from "@svc/contract/role";
import { adminPrincipal } from "@svc/contract/testing/principals";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { systemClock } from "@svc/process/clock";
import { pino } from "pino";
import { expect, it } from "vitest";
import { askRoutes } from "./ask-route.ts";
import { RateLimits } from "./rate-limits/rate-limits.ts";
import type { AnyHandler, AnyReply, ProblemReply, RequestContext } from "./routes/handler.ts";

const READS = Object.entries<RouteDefinition>(CONTROL_ROUTES).filter(([, { method }]) => method === "GET");

/** Asks routes whose handlers answer what is given. */
function asking(principal: RequestContext["principal"], reply: AnyReply, ended: Problem | null = null) {
  const contexts: RequestContext[] = [];
  const refused: ProblemReply[] = [];
  const handler: AnyHandler = async (_input, context) => {
    contexts.push(context);
    return reply;
  };
  const handlers = Object.fromEntries(Object.keys(CONTROL_ROUTES).map((id) => [id, handler]));
  const log = pino({ enabled: false });
  const ask = askRoutes({
    context: {
      principal,
      requestId: "req_1",
      ports: { log } as unknown as ControlPlanePorts,
      over: new AbortController().signal,
    },
    handlers: handlers as Readonly<Record<ControlOperationId, AnyHandler>>,
    rateLimits: new RateLimits(systemClock),
    refusal: () => ended,
    refuse: (refusal) => {
      refused.push(refusal);
      return refusal;
    },
  });
  return { ask, contexts, refused };
}

const JSON_REPLY: AnyReply = { kind: "json", status: 200, body: { a: 1 } };

const question = (operation: string, query: Readonly<Record<string, string>> = {}) => {
  const { params } = CONTROL_ROUTES[operation as ControlOperationId] as RouteDefinition;
  const named = Object.fromEntries(Object.keys(params.shape).map((name) => [name, "1"]));
  return { operation: operation as ControlOperationId, params: named, query };
};

// proves GQL-07
it.each(ROLES)("asks for a key of role %s what its scopes let it ask, and nothing else", async (role) => {
  const scopes = scopesOf({ role, isBootstrap: false, isBound: false });
  const principal = adminPrincipal({ role });
  const wrong: string[] = [];
  for (const [id, { access }] of READS) {
    const { ask, contexts } = asking(principal, JSON_REPLY);
    const answer = await ask(question(id));
    const may = access.kind !== "scope" || scopes.has(access.scope);
    const isForbidden = answer.kind === "problem" && answer.problem.code === "forbidden";
    if (isForbidden === may || (!may && contexts.length > 0)) wrong.push(id);
  }
  expect(READS.length).toBeGreaterThan(25);
  expect(wrong).toEqual([]);
});

it("asks no route that changes something", async () => {
  const { ask, contexts } = asking(adminPrincipal(), JSON_REPLY);
  expect(await ask(question("activateKillSwitch"))).toMatchObject({ problem: { code: "invalid_request" } });
  expect(contexts).toEqual([]);
});

it("reads the parameters as a request would, and names the one that does not fit", async () => {
  const { ask } = asking(adminPrincipal(), JSON_REPLY);
  expect(await ask(question("listAlerts", { limit: "2" }))).toEqual({ kind: "json", text: '{"a":1}' });
  expect(await ask(question("listAlerts", { status: "odd" }))).toMatchObject({
    problem: { code: "invalid_request", detail: expect.stringContaining("status") as unknown },
  });
});

it.each(["", "a\u0000b"])("finds nothing of the id %j, which no path can hold", async (id) => {
  const { ask } = asking(adminPrincipal(), JSON_REPLY);
  const asked = { operation: "getAlert", params: { alert_id: id }, query: {} } as const;
  expect(await ask(asked)).toMatchObject({ problem: { code: "not_found" } });
});

it("answers nothing to a key that has ended meanwhile", async () => {
  const ended = problem("unauthenticated", "it was revoked");
  const { ask, refused } = asking(adminPrincipal(), JSON_REPLY, ended);
  expect(await ask(question("listAlerts"))).toMatchObject({ kind: "problem", problem: ended });
  expect(refused).toHaveLength(1);
});

it("takes a part of the rate limit for each question, as a request does", async () => {
  const { ask } = asking(adminPrincipal(), JSON_REPLY);
  const answers = await Promise.all(Array.from({ length: 400 }, () => ask(question("explainDecision"))));
  expect(answers.some((answer) => answer.kind === "json")).toBe(true);
  expect(answers.at(-1)).toMatchObject({ kind: "problem", problem: { code: "too_many_requests" } });
});

it("hides a fault, and a route that answers something else than JSON", async () => {
  const text: AnyReply = { kind: "text", status: 200, mediaType: "application/yaml", text: "secret" };
  const { ask } = asking(adminPrincipal(), text);
  const answer = await ask(question("getPolicy"));
  expect(answer).toMatchObject({ problem: { code: "internal_error" } });
  expect(JSON.stringify(answer)).not.toContain("secret");
});
