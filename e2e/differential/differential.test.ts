// peers: envoy
// long: sends the same calls through every adapter and proxy

import type { Verdict } from "@svc/contract/verdict";
import { runs } from "@svc/text/testing/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import type { ServerProcess } from "../support/server/server-process.ts";
import { generateCalls } from "./calls.ts";
import { ruleInProcess } from "./in-process.ts";
import { REASON_CODES, RULES } from "./policies.ts";
import {
  callsAt,
  expectedAt,
  type Observed,
  type OpenSeam,
  type Seam,
  type SeamCall,
  sessionAt,
} from "./seam.ts";
import { check, strictCheck, verdict } from "./seams/checkgw.ts";
import { envoy } from "./seams/envoy.ts";
import { execute } from "./seams/execute.ts";
import { extproc } from "./seams/extproc.ts";
import { guardrail } from "./seams/guardrail.ts";
import { mcp } from "./seams/mcp.ts";
import { startGoverned } from "./served.ts";

/** With half of them, one reason or another is too rare. */
const CALLS = runs(1_000, 10_000);

/** Names the run: the same seed makes the same calls. */
const SEED = Number(process.env["SVC_TEST_SEED"] ?? 20_261_121);

/** Calls of a run that are repeated with their keys, as count. */
const REPEATED = runs(300, 3_000);

/** Conversations that are carried on at once; the calls of each come one after another. */
const CONCURRENCY = 16;

/** Least calls of a run that meet each reason code, rule and kind of outcome, as count. */
const LEAST = 5;

/** Milliseconds for one adapter: some 5 s on a quiet machine, many times that on a busy one. */
const SEAM_TIMEOUT_MS = 180_000;

/** Most differences that a failure shows, as count. */
const SHOWN = 3;

const seams: readonly Seam[] = [execute, verdict, check, strictCheck, mcp, extproc, guardrail];

describe(`${String(CALLS)} generated calls, seed ${String(SEED)}`, { timeout: SEAM_TIMEOUT_MS }, () => {
  const calls = generateCalls(SEED, CALLS);
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startGoverned(seams.flatMap(({ name }) => [name, `${name}, repeated`]));
  });
  afterAll(async () => {
    await server?.stop();
  });

  it("cover every reason, every rule, every mode and every kind of outcome", async () => {
    const inProcess = { name: "in process", lacks: {} };
    const seen = new Map<string, number>();
    for (const ruled of await ruleInProcess(inProcess.name, callsAt(inProcess, calls))) {
      for (const feature of featuresOf(ruled)) seen.set(feature, (seen.get(feature) ?? 0) + 1);
    }
    const wanted = [...REASON_CODES, ...RULES, "allow", "pause", "deny", "rewritten", "would be"];
    expect(wanted.filter((feature) => (seen.get(feature) ?? 0) < LEAST)).toEqual([]);
  });

  // proves ADP-05
  it.each(seams)("are decided at $name as in process", (seam) => decideAlike(seam));

  // proves ADP-05, EXEC-16
  it.each(seams.filter(({ keyed }) => keyed))("are decided once at $name when each is repeated", (seam) =>
    decideAlike({ ...seam, name: `${seam.name}, repeated` }, REPEATED),
  );

  // skip: a machine without Envoy; the runner says why there is none
  it.skipIf(missing.envoy)("are decided behind a real Envoy as in process", () => decideAlike(envoy));

  async function decideAlike(seam: Seam, most = CALLS): Promise<void> {
    const asked = callsAt(seam, calls.slice(0, most));
    const rulings = await ruleInProcess(seam.name, asked);
    const expected = asked.map((call, index) => expectedAt(seam, call, rulings[index] as Verdict));
    const opened = await seam.open(server.url);
    try {
      const once = most === CALLS;
      const ask = (call: SeamCall): Promise<Observed> =>
        once
          ? opened.ask(call)
          : askTwice(opened, call, `${sessionAt("key", seam.name)}-${String(call.index)}`);
      const observed = await askAll(asked, ask);
      expect(differences(asked, expected, observed)).toEqual([]);
    } finally {
      await opened.close();
    }
  }
});

/** The same call with one key twice: the repeat must see what the first one saw. */
async function askTwice(opened: OpenSeam, call: SeamCall, key: string): Promise<Observed> {
  const first = await opened.ask(call, key);
  const second = await opened.ask(call, key);
  if (JSON.stringify(second) !== JSON.stringify(first)) {
    throw new Error(`the repeat saw ${JSON.stringify(second)}, the first call ${JSON.stringify(first)}`);
  }
  return first;
}

function featuresOf(ruled: Verdict): readonly string[] {
  if (ruled.decision !== "allow") return [ruled.decision, ruled.reason_code, ruled.rule_id ?? ""];
  const { would_be: would, args_constrained: rewritten } = ruled;
  return ["allow", would === undefined ? "" : "would be", rewritten ? "rewritten" : ""];
}

/** Asks about every call; those of one conversation in their order, since what it may spend depends on it. */
async function askAll(
  calls: readonly SeamCall[],
  ask: (call: SeamCall) => Promise<Observed>,
): Promise<readonly Observed[]> {
  const conversationOf = ({ agent, session, index }: SeamCall): string =>
    `${agent} ${session ?? String(index)}`;
  const conversations = [...Map.groupBy(calls, conversationOf).values()];
  const observed: Observed[] = [];
  const carryOn = async (): Promise<void> => {
    for (let next = conversations.pop(); next !== undefined; next = conversations.pop()) {
      for (const call of next) observed[call.index] = await ask(call);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, carryOn));
  return observed;
}

/** The calls that were decided otherwise, the shortest first. */
function differences(
  calls: readonly SeamCall[],
  expected: readonly Observed[],
  observed: readonly Observed[],
): readonly object[] {
  const found = calls.flatMap((call, index) => {
    const [wanted, seen] = [expected[index], observed[index]];
    return JSON.stringify(wanted) === JSON.stringify(seen) ? [] : [{ call, wanted, seen }];
  });
  const shortest = found.toSorted(
    (left, right) => JSON.stringify(left).length - JSON.stringify(right).length,
  );
  return found.length > SHOWN ? [{ differences: found.length }, ...shortest.slice(0, SHOWN)] : shortest;
}
