// long: it starts every adapter several times
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../support/server/server-process.ts";
import type { Seam, SeamCall } from "./seam.ts";
import { check, verdict } from "./seams/checkgw.ts";
import { extproc } from "./seams/extproc.ts";
import { guardrail } from "./seams/guardrail.ts";
import { mcp } from "./seams/mcp.ts";
import { startGoverned } from "./served.ts";

const AGENT = "nobody";

/** No policy is bound to the agent or to the default namespace. In `team` it would be allowed. */
const CALL: SeamCall = {
  index: 1,
  agent: AGENT,
  session: null,
  namespace: null,
  tool: "crm.read",
  args: {},
  costUsd: null,
};

const seams: readonly Seam[] = [verdict, check, mcp, extproc, guardrail];

describe("an adapter whose configuration fixes the agent and no namespace", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startGoverned([]);
  });
  afterAll(async () => {
    await server?.stop();
  });

  // proves ADP-15
  it.each(seams)("judges its calls in the default namespace, and refuses others: $name", async (seam) => {
    const free = await seam.open(server.url);
    const fixed = await seam.open(server.url, { SVC_AGENT_ID: AGENT }).catch(async (error: unknown) => {
      await free.close();
      throw error;
    });
    try {
      expect(await free.ask({ ...CALL, namespace: "team" })).toMatchObject({ decision: "allow" });
      for (const [namespace, reasonCode] of [
        [null, "no_policy"],
        ["default", "no_policy"],
        ["team", "request_malformed"],
      ] as const) {
        const seen = await fixed.ask({ ...CALL, namespace });
        expect({ namespace, ...seen }).toMatchObject({ namespace, decision: "deny", reasonCode });
      }
    } finally {
      await Promise.all([free.close(), fixed.close()]);
    }
  });
});
