import { MAX_ROW_ARGS_BYTES } from "@svc/contract/limits";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedExport } from "../support/server/audit-export.ts";
import type { ServerProcess } from "../support/server/server-process.ts";
import { type Observed, type Seam, type SeamCall, wireText } from "./seam.ts";
import { verdict } from "./seams/checkgw.ts";
import { execute } from "./seams/execute.ts";
import { extproc } from "./seams/extproc.ts";
import { guardrail } from "./seams/guardrail.ts";
import { mcp } from "./seams/mcp.ts";
import { startGoverned } from "./served.ts";

/** `/check` has its arguments in a header of 8 KiB and is left out. */
const seams: readonly Seam[] = [execute, verdict, mcp, extproc, guardrail];

/** Bytes that a question keeps for everything else than the arguments, and more. */
const ENVELOPE_BYTES = 1_000;

const textOf = (bytes: number): JsonObject => ({ text: "x".repeat(bytes - '{"text":""}'.length) });
const numbers = (count: number): JsonObject => ({ n: Array.from({ length: count }, () => 1e15) });

const CASES: readonly { readonly name: string; readonly args: JsonObject; readonly fits: boolean }[] = [
  { name: "as much text as a question holds", args: textOf(MAX_ROW_ARGS_BYTES - ENVELOPE_BYTES), fits: true },
  { name: "more text than a body holds", args: textOf(MAX_ROW_ARGS_BYTES + 1), fits: false },
  { name: "numbers that fit when they are written out", args: numbers(15_000), fits: true },
  {
    name: "numbers that fit a body, but no row when they are written out",
    args: numbers(52_000),
    fits: false,
  },
];

// proves EXEC-30, ADP-05
describe("large calls", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startGoverned(seams.map(({ name }) => name));
  });
  afterAll(async () => {
    await server?.stop();
  });

  it("the sizes of the cases are as named", () => {
    const sizes = CASES.map(({ args }) => [wireText(args).length, canonicalJson(args).length]);
    expect(sizes.map(([, canonical = 0]) => canonical <= MAX_ROW_ARGS_BYTES)).toEqual(
      CASES.map(({ fits }) => fits),
    );
    expect(sizes.at(-1)?.[0]).toBeLessThan(MAX_ROW_ARGS_BYTES);
  });

  it.each(seams)("are refused at $name as at every adapter, and nothing reaches the tool", async (seam) => {
    const opened = await seam.open(server.url);
    try {
      const before = await decisions(server.url);
      const seen: Record<string, boolean> = {};
      for (const [index, { name, args }] of CASES.entries()) {
        seen[name] = passes(await opened.ask(callWith(args, index)), args);
      }
      expect(seen).toEqual(Object.fromEntries(CASES.map(({ name, fits }) => [name, fits])));
      // A call that is refused for its size is not judged, so it has no row.
      expect((await decisions(server.url)) - before).toBe(CASES.filter(({ fits }) => fits).length);
    } finally {
      await opened.close();
    }
  });
});

async function decisions(url: string): Promise<number> {
  return (await checkedExport(url)).filter(({ row }) => row["kind"] === "decision").length;
}

function callWith(args: JsonObject, index: number): SeamCall {
  return { index, agent: "open", session: null, namespace: null, tool: "crm.read", args, costUsd: null };
}

/** Whether the call continues with exactly these arguments. */
function passes({ decision, args }: Observed, asked: JsonObject): boolean {
  if (decision !== "allow") {
    if (args !== null) throw new Error("refused, and let through");
    return false;
  }
  if (args !== canonicalJson(asked)) throw new Error("let through with other arguments");
  return true;
}
