import { runs } from "@svc/text/testing/runs";
import { expect, it } from "vitest";
import type { Responder } from "../../support/adapters/recording-server.ts";
import { callOf, createPolicy, execute, send } from "../../support/server/api.ts";
import { activate } from "../../support/server/kill-switches.ts";
import { type ServerOptions, type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";
import { ARRIVES, confirms, RECEIVERS, receiverOf } from "./webhook-receiver.ts";

/** How often the process that delivers is killed amid deliveries. */
const KILLS = runs(1, 20);

/** Milliseconds of one of them with its calls and the next start, on a busy machine. */
const KILL_MS = 15_000;

const ASKS = `id: asks
agent_id: agent-5
tools: { allowed: ["*"] }
rules:
  - { id: ask, match: { tool: "*" }, action: require_approval }
`;

/** What holds over both databases. */
export function deliveriesSuite(
  sharedStore: () => Promise<Readonly<Record<"before" | "after", ServerOptions>>>,
): void {
  // proves HOOK-01, HOOK-02, HOOK-03, HOOK-04, HOOK-05, HOOK-06, HOOK-28
  it(
    "delivers each event once, signed, to who asked for it, and loses none when it is killed",
    async () => {
      const { before, after } = await sharedStore();
      const server = await serverOfTest({ ...before, env: { ...before.env, ...RECEIVERS } });
      await deliversOnce(server);
      await losesNothing(server, after);
    },
    60_000 + KILLS * KILL_MS,
  );
}

async function deliversOnce(server: ServerProcess): Promise<void> {
  const everything = await receiverOf(server);
  const switches = await receiverOf(server, { events: ["killswitch.activated"] });
  const denials = await receiverOf(server, { events: ["policy.decision"], decisions: ["deny"] });
  for (const yaml of [undefined, ASKS]) expect((await createPolicy(server.url, yaml)).status).toBe(201);
  const ask = async (path: string, body: object) => send("POST", `${server.url}/api/v1/${path}`, { body });
  const registered = await ask("agents", { id: "agent-7", namespace: "default" });
  expect(registered.status).toBe(201);
  const allowed = await execute(server.url);
  const denied = await execute(server.url, { tool: "files.read" });
  const paused = await execute(server.url, { agent_id: "agent-5" });
  const approval = new URL(String(paused.body["approval_url"])).pathname.split("/").at(-1) ?? "";
  expect((await ask(`approvals/${approval}/deny`, { reason: "not today" })).status).toBe(200);
  expect((await activate(server.url, { scope: "agent", target_id: "agent-9" })).status).toBe(201);
  const wanted = ["agent.registered", "policy.decision", "approval.requested", "approval.resolved"];
  wanted.push("killswitch.activated");
  await expect
    .poll(() => new Set(everything.received().map(({ type }) => type)), ARRIVES)
    .toEqual(new Set([...wanted, "policy.version_created"]));
  const decided = everything.received().filter(({ type }) => type === "policy.decision");
  const ids = new Set([allowed, denied, paused].map(({ body }) => body["decision_id"]));
  expect(new Set(decided.map(({ data }) => data["decision_id"]))).toEqual(ids);
  expect(decided).toHaveLength(ids.size);
  await expect.poll(() => switches.received().map(({ type }) => type), ARRIVES).toEqual(wanted.slice(-1));
  await expect
    .poll(() => denials.received().map(({ data }) => data["decision_id"]), ARRIVES)
    .toEqual([denied.body["decision_id"]]);
  const events = everything.received().map(({ id }) => id);
  expect(new Set(events).size).toBe(events.length);
}

/** No event comes under two ids either. Calls are decided before each of the kills. */
async function losesNothing(first: ServerProcess, after: ServerOptions): Promise<void> {
  let server = first;
  let attempts = 0;
  const taken = new Set<unknown>();
  const takes: Responder = (request, response) => {
    taken.add(request.headers["idempotency-key"]);
    confirms(request, response);
  };
  /** Some get no answer, so that deliveries wait when the server is killed. */
  const hesitates: Responder = (request, response) => {
    attempts += 1;
    if (attempts % 4 !== 0) takes(request, response);
  };
  const receiver = await receiverOf(server, { events: ["policy.decision"] });
  const decisions: unknown[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    receiver.respondWith(hesitates);
    for (let n = 0; n < 12; n += 1) {
      const session_id = `s-${String(round)}-${String(n)}`;
      decisions.push((await execute(server.url, callOf({ session_id }))).body["decision_id"]);
    }
    await server.stop("SIGKILL");
    receiver.respondWith(takes);
    server = await serverOfTest({ ...after, env: { ...after.env, ...RECEIVERS } });
  }
  await expect.poll(() => taken.size, { timeout: 30_000 }).toBe(decisions.length);
  const received = receiver.received().map(({ data }) => data["decision_id"]);
  expect(new Set(received)).toEqual(new Set(decisions));
  const pairs = receiver.requests.map(({ headers }) => {
    return `${String(headers["idempotency-key"])} ${String(headers["x-svc-delivery"])}`;
  });
  expect(new Set(pairs).size).toBe(decisions.length);
}
