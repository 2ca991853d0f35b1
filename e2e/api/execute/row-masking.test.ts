import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { createPolicy, execute } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { activateEnforced } from "../../support/server/kill-switches.ts";
import { serverOfTest, startServer } from "../../support/server/server-process.ts";

const GITHUB = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const SESSION = `s-${GITHUB}`;

const POLICY = `id: p
agent_id: agent-1
tools: { allowed: [payments.*], denied: [payments.wire] }
session: { max_steps: 3 }
rules:
  - id: hide
    match: { tool: "*" }
    action: redact
    redact: { fields: [args.**.pin] }
`;

/** Long enough that the call is worked on by the thread of large calls. */
const PADDING = "x".repeat(100_000);

describe("rows of a running server", () => {
  // proves AUD-50, AUD-51
  it("contain neither redacted values nor secrets in names, and ceilings still count", async () => {
    const dataDir = await temporaryDirectory();
    const first = await startServer({ dataDir });
    expect((await createPolicy(first.url, POLICY)).status).toBe(201);
    const args = { card: { pin: "1234-pin" }, note: "kept" };
    const shaped = { card: { pin: "[redacted]" }, note: "kept" };
    const call = { session_id: SESSION, args };
    expect((await execute(first.url, call)).body).toMatchObject({ decision: "allow", shaped_args: shaped });
    expect((await execute(first.url, { ...call, tool: "payments.wire" })).body).toMatchObject({
      reason_code: "tool_denied",
    });
    const large = { ...call, args: { ...args, padding: PADDING } };
    expect((await execute(first.url, large)).body).toMatchObject({ decision: "allow" });
    await first.stop();

    const second = await serverOfTest({ dataDir });
    expect((await execute(second.url, call)).body).toMatchObject({ decision: "allow" });
    expect((await execute(second.url, call)).body).toMatchObject({ reason_code: "max_steps" });
    const target = { scope: "session", target_id: SESSION, reason: `leaked ${GITHUB}`, activated_by: "me" };
    await activateEnforced(second.url, target);
    expect((await execute(second.url, call)).body).toMatchObject({ reason_code: "kill_switch" });

    const rows = (await checkedExport(second.url)).map(({ row }) => row);
    const text = JSON.stringify(rows);
    expect(text).not.toContain("1234-pin");
    expect(text).not.toContain(GITHUB);
    const decisions = rows.filter(({ kind }) => kind === "decision");
    expect(decisions.map((row) => (row["args"] as { card: unknown }).card)).toEqual(
      decisions.map(() => ({ pin: "[masked:rule:hide]" })),
    );
    expect(decisions).toHaveLength(6);
    const session = /^s-\[masked:secret\.github_token:[0-9a-f]{32}\]$/;
    expect(decisions[0]?.["session_id"]).toMatch(session);
    expect(new Set(decisions.map(({ session_id }) => session_id)).size).toBe(1);
    const switches = rows.filter(({ kind }) => kind === "kill_switch");
    expect(switches.map(({ target_id }) => target_id)).toEqual([decisions[0]?.["session_id"]]);
  });
});
