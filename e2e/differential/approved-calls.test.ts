// long: it starts every adapter
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApprovalStage, approveNewest, startApprovalStage } from "./approval-stage.ts";
import { ANNOUNCED, type Observed, type OpenSeam, type Seam, type SeamCall, sessionAt } from "./seam.ts";
import { check, strictCheck, verdict } from "./seams/checkgw.ts";
import { execute } from "./seams/execute.ts";
import { extproc } from "./seams/extproc.ts";
import { guardrail } from "./seams/guardrail.ts";
import { mcp } from "./seams/mcp.ts";

const BIG = { amount: 900 };
const PAUSED = { decision: "pause", reasonCode: "approval_required", args: null };

const seams: readonly Seam[] = [execute, extproc, mcp, verdict, check, strictCheck, guardrail];

/** Everything that happens at one seam happens in one session, so that its approval can be found. */
interface Scene {
  /** @param key names the call where the seam is `keyed`. */
  readonly ask: (args?: JsonObject, key?: string) => Promise<Observed>;
  /** Approves the only open approval of this session. */
  readonly approve: (args?: JsonObject) => Promise<void>;
}

function sceneAt(seam: Seam, open: OpenSeam, stage: ApprovalStage, what: string): Scene {
  const session = sessionAt(what, seam.name);
  let index = 0;
  const ask = (args: JsonObject = BIG, key?: string): Promise<Observed> => {
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
    return open.ask(call, key === undefined ? key : `${session} ${key}`.replaceAll(/[^a-z0-9]/gi, "-"));
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
  let stage: ApprovalStage;
  beforeAll(async () => {
    stage = await startApprovalStage();
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

  // proves APR-60
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

  // proves APR-61
  it.each(seams)("with other arguments, goes on with those or not at all: $name", (seam) =>
    withOpen(seam, async (open) => {
      const { ask, approve } = sceneAt(seam, open, stage, "edited");
      expect(await ask()).toMatchObject(PAUSED);
      await approve({ amount: 500 });
      expect(await ask()).toMatchObject(rewrittenAt(seam, { amount: 500 }));
      expect(await ask()).toMatchObject(PAUSED);
    }),
  );

  // proves APR-65
  it.each(seams.filter(({ keyed }) => keyed))("passes once for all repeats with one key: $name", (seam) =>
    withOpen(seam, async (open) => {
      const { ask, approve } = sceneAt(seam, open, stage, "keyed");
      expect(await ask(BIG, "asked")).toMatchObject(PAUSED);
      await approve();
      expect(await ask(BIG, "asked")).toMatchObject({ decision: "allow", args: canonicalJson(BIG) });
      expect(await ask(BIG, "asked")).toMatchObject({ decision: "allow", args: canonicalJson(BIG) });
      expect(await ask(BIG, "another")).toMatchObject(PAUSED);
    }),
  );
});
