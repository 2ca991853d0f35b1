// long: it starts every adapter
import { canonicalJson } from "@svc/contract/canonical-json";
import type { JsonObject } from "@svc/contract/json-value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../support/api-keys.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type MessageSeam, refused, wentOn } from "./message.ts";
import { ANNOUNCED, type Observed, type OpenSeam, type Seam, type SeamCall, sessionAt } from "./seam.ts";
import { check, strictCheck, verdict } from "./seams/checkgw.ts";
import { execute } from "./seams/execute.ts";
import { extproc } from "./seams/extproc.ts";
import { extprocAnswers } from "./seams/extproc-answers.ts";
import { guardrail } from "./seams/guardrail.ts";
import { guardrailAnswers } from "./seams/guardrail-answers.ts";
import { mcp } from "./seams/mcp.ts";

const POLICY = `id: refunds
agent_id: clerk
tools: { allowed: ["payments.*", "crm.read"] }
rules:
  - id: big
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

const BIG = { amount: 900 };
/** Longest wait in milliseconds until an adapter has reported what did not run. */
const REPORT_TIMEOUT_MS = 10_000;

const OTHER = { amount: 800 };
const PAUSED = { decision: "pause", reasonCode: "approval_required", args: null };

const seams: readonly Seam[] = [execute, extproc, mcp, verdict, check, strictCheck, guardrail];

/** The people of one run, and the server that they ask. */
interface Stage {
  readonly server: ServerProcess;
  readonly approver: Client;
  readonly env: Readonly<Record<string, string>>;
}

async function stageOf(server: ServerProcess): Promise<Stage> {
  const operator = operatorOf(server);
  const policy = await operator("POST", "policies", { yaml: POLICY });
  if (policy.status !== 201) throw new Error(JSON.stringify(policy.body));
  const adapter = await issueKey(operator, { role: "adapter" });
  const approver = await issueKey(operator, { role: "approver" });
  return { server, approver: clientOf(server, approver.key), env: { SVC_API_KEY: adapter.key } };
}

/** Approves the newest of the open approvals that a query finds, and says how many those were. */
async function approveNewest(
  { approver }: Stage,
  query: Readonly<Record<string, string>>,
  args?: JsonObject,
): Promise<number> {
  const found = new URLSearchParams({ status: "pending", ...query }).toString();
  const { body } = await approver("GET", `approvals?${found}`);
  const pending = body["approvals"] as readonly { readonly id: string }[];
  const json = { reason: "the customer called", ...(args === undefined ? {} : { args }) };
  const approved = await approver("POST", `approvals/${pending[0]?.id ?? ""}/approve`, { json });
  expect(approved.status).toBe(200);
  return pending.length;
}

/** Everything that happens at one seam happens in one session, so that its approval can be found. */
interface Scene {
  readonly ask: (args?: JsonObject) => Promise<Observed>;
  /** Approves the only open approval of this session. */
  readonly approve: (args?: JsonObject) => Promise<void>;
}

function sceneAt(seam: Seam, open: OpenSeam, stage: Stage, what: string): Scene {
  const session = sessionAt(what, seam.name);
  let index = 0;
  const ask = (args: JsonObject = BIG): Promise<Observed> => {
    index += 1;
    const call: SeamCall = {
      index: index * 1_000 + what.length,
      agent: "clerk",
      session,
      namespace: null,
      tool: "payments.refund",
      args,
      costUsd: null,
    };
    return open.ask(call);
  };
  const approve = async (args?: JsonObject): Promise<void> => {
    expect(await approveNewest(stage, { session_id: session }, args)).toBe(1);
  };
  return { ask, approve };
}

/** What a call shows that was approved with these arguments in place of its own. */
function rewrittenAt({ lacks }: Seam, args: JsonObject): Partial<Observed> {
  if (lacks.rewrite === "denied") return { decision: "deny", reasonCode: "shaping_unsupported", args: null };
  return { decision: "allow", args: lacks.rewrite === "announced" ? ANNOUNCED : canonicalJson(args) };
}

describe("an approval that was given, at every seam", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await stageOf(await startServer({ env: BOOTSTRAP_ENV }));
  });
  afterAll(async () => {
    await stage?.server.stop();
  });

  const withOpen = async (seam: Seam, play: (open: OpenSeam) => Promise<void>): Promise<void> => {
    const open = await seam.open(stage.server.url, stage.env);
    try {
      await play(open);
    } finally {
      await open.close();
    }
  };

  // proves APR-40
  it.each(seams)("lets the repeated call pass once, and no other one: $name", (seam) =>
    withOpen(seam, async (open) => {
      const { ask, approve } = sceneAt(seam, open, stage, "once");
      expect(await ask()).toMatchObject(PAUSED);
      expect(await ask()).toMatchObject(PAUSED);
      await approve();
      expect(await ask({ amount: 901 })).toMatchObject(PAUSED);
      expect(await ask()).toMatchObject({ decision: "allow", args: canonicalJson(BIG) });
      expect(await ask()).toMatchObject(PAUSED);
    }),
  );

  // proves APR-41
  it.each(seams)("with other arguments, goes on with those or not at all: $name", (seam) =>
    withOpen(seam, async (open) => {
      const { ask, approve } = sceneAt(seam, open, stage, "edited");
      expect(await ask()).toMatchObject(PAUSED);
      await approve({ amount: 500 });
      expect(await ask()).toMatchObject(rewrittenAt(seam, { amount: 500 }));
    }),
  );

  const messageSeams: readonly MessageSeam[] = [...extprocAnswers, ...guardrailAnswers];

  // proves APR-42
  it.each(messageSeams)("that a stopped message used, comes back: $name", async (seam) => {
    const open = await seam.open(stage.server.url, stage.env);
    try {
      const tool = `payments.${seam.name.replaceAll(/[^a-z]+/gi, "-")}`;
      const ask = () => open.ask([BIG, OTHER].map((args) => ({ tool, args })));
      expect(await ask()).toEqual(refused("pause", "approval_required"));
      expect(await approveNewest(stage, { tool })).toBe(2);
      // The approved call passes, the other one pauses, and so neither runs.
      expect(await ask()).toEqual(refused("pause", "approval_required"));
      expect(await approveNewest(stage, { tool })).toBe(1);
      // The adapter reports beside its answer that the approved call did not run.
      const both = wentOn([BIG, OTHER].map((args) => canonicalJson(args)));
      await expect.poll(ask, { timeout: REPORT_TIMEOUT_MS }).toEqual(both);
    } finally {
      await open.close();
    }
  });
});
