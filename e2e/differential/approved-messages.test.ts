// long: it starts every adapter that judges answers of models
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApprovalStage, approveNewest, startApprovalStage } from "./approval-stage.ts";
import { type MessageSeam, type ObservedMessage, refused, wentOn } from "./message.ts";
import { extprocAnswers } from "./seams/extproc-answers.ts";
import { guardrailAnswers } from "./seams/guardrail-answers.ts";

const BIG = { amount: 900 };
const OTHER = { amount: 800 };
const PAUSED = refused("pause", "approval_required");

/** Longest wait in milliseconds until an adapter has reported what did not run. */
const REPORT_TIMEOUT_MS = 10_000;

const seams: readonly MessageSeam[] = [...extprocAnswers, ...guardrailAnswers];

/** Everything that happens at one seam is about a tool of its own, so that its approvals can be found. */
interface Scene {
  /** Sends one message with a call for each of these arguments. */
  readonly ask: (...args: readonly JsonObject[]) => Promise<ObservedMessage>;
  /** Approves one of the open approvals, and says how many there were. */
  readonly approve: (args?: JsonObject) => Promise<number>;
}

const went = (...args: readonly JsonObject[]): ObservedMessage => wentOn(args.map(canonicalJson));

describe("an approval that was given, at every seam for answers of models", () => {
  let stage: ApprovalStage;
  beforeAll(async () => {
    stage = await startApprovalStage();
  });
  afterAll(async () => {
    await stage?.server.stop();
  });

  const playAt = async (seam: MessageSeam, what: string, play: (scene: Scene) => Promise<void>) => {
    const open = await seam.open(stage.server.url, stage.env);
    const tool = `payments.${what}-${seam.name.replaceAll(/[^a-z]+/gi, "-")}`;
    try {
      await play({
        ask: (...all) => open.ask(all.map((args) => ({ tool, args }))),
        approve: (args) => approveNewest(stage, { tool }, args),
      });
    } finally {
      await open.close();
    }
  };

  // proves APR-61
  it.each(seams)("with other arguments, lets the message go on with those or stops it: $name", (seam) =>
    playAt(seam, "edited", async ({ ask, approve }) => {
      expect(await ask(BIG)).toEqual(PAUSED);
      expect(await approve({ amount: 500 })).toBe(1);
      const stopped = refused("deny", "shaping_unsupported");
      expect(await ask(BIG)).toEqual(seam.carriesRewrites ? went({ amount: 500 }) : stopped);
      // What did not run, gives its approval back: the call stays denied.
      const next = seam.carriesRewrites ? PAUSED : stopped;
      await expect.poll(() => ask(BIG), { timeout: REPORT_TIMEOUT_MS }).toEqual(next);
    }),
  );

  // proves APR-62
  it.each(seams)("comes back when the message that used it was stopped: $name", (seam) =>
    playAt(seam, "stopped", async ({ ask, approve }) => {
      expect(await ask(BIG, OTHER)).toEqual(PAUSED);
      expect(await approve()).toBe(2);
      // The approved call passes, the other one pauses, and so neither runs.
      expect(await ask(BIG, OTHER)).toEqual(PAUSED);
      expect(await approve()).toBe(1);
      // The adapter reports beside its answer that the approved call did not run.
      await expect.poll(() => ask(BIG, OTHER), { timeout: REPORT_TIMEOUT_MS }).toEqual(went(BIG, OTHER));
      expect(await ask(BIG, OTHER)).toEqual(PAUSED);
    }),
  );
});
