// long: it sends every message of up to three calls through every adapter
import type { Verdict } from "@svc/contract/verdict";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../support/server/server-process.ts";
import { ruleInProcess } from "./in-process.ts";
import { expectedOf, HARMLESS, type MessageCall, type MessageSeam, singleCalls } from "./message.ts";
import { extprocAnswers } from "./seams/extproc-answers.ts";
import { guardrailAnswers } from "./seams/guardrail-answers.ts";
import { startGoverned } from "./served.ts";

/** One call for each kind of verdict, by what the policy of the caller says to it. */
const KINDS = {
  allow: HARMLESS,
  rewrite: { tool: "payments.transfer", args: { text: "hi", amount: 200, note: "now" } },
  pause: { tool: "payments.refund", args: { text: "hi", amount: 600 } },
  deny: { tool: "crm.read", args: { text: "AKIAIOSFODNN7EXAMPLE", tags: ["b"] } },
} as const satisfies Record<string, MessageCall>;

type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

/** Longest message, as count of calls: each message of at most so many is asked about. */
const MOST_CALLS = 3;

/** Milliseconds for one adapter: seconds on a quiet machine, many times that on a busy one. */
const SEAM_TIMEOUT_MS = 180_000;

function messagesOf(length: number): readonly (readonly Kind[])[] {
  if (length === 0) return [[]];
  return messagesOf(length - 1).flatMap((message) => kinds.map((kind) => [...message, kind]));
}

const messages = Array.from({ length: MOST_CALLS }, (_, index) => messagesOf(index + 1)).flat();
const seams: readonly MessageSeam[] = [...extprocAnswers, ...guardrailAnswers];

describe("every message of up to three calls", { timeout: SEAM_TIMEOUT_MS }, () => {
  const single = new Map<Kind, Verdict>();
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startGoverned([]);
    const verdicts = await ruleInProcess("in process", singleCalls(kinds.map((kind) => KINDS[kind])));
    for (const [index, kind] of kinds.entries()) single.set(kind, verdicts[index] as Verdict);
  });
  afterAll(async () => {
    await server?.stop();
  });

  it("holds calls of every kind of verdict", () => {
    const told = kinds.map((kind) => single.get(kind));
    expect(told).toMatchObject([
      { decision: "allow", args_constrained: false },
      { decision: "allow", args_constrained: true },
      { decision: "pause" },
      { decision: "deny", reason_code: "rule" },
    ]);
  });

  // proves ADP-05, ADP-11
  it.each(seams)("is decided at $name as its calls are in process", async (seam) => {
    const opened = await seam.open(server.url);
    try {
      const differing: object[] = [];
      for (const message of messages) {
        const calls = message.map((kind) => KINDS[kind]);
        const verdicts = message.map((kind) => single.get(kind) as Verdict);
        const wanted = expectedOf(calls, verdicts, seam);
        const seen = await opened.ask(calls);
        if (JSON.stringify(seen) !== JSON.stringify(wanted)) differing.push({ message, wanted, seen });
      }
      expect(differing).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
