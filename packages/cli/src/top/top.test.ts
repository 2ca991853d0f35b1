import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import { agentRoutes } from "@svc/api/agent-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import { problem } from "@svc/contract/problem";
import { describe, expect, it } from "vitest";
import { changeText } from "../agents/busy-agents.ts";
import { runCaptured } from "../testing/run-captured.ts";
import { answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const TOP = agentActivityRoutes.listBusyAgents.answers[200].example;
const ACTIVITY = agentActivityRoutes.getAgentActivity.answers[200].example;
const [WILD] = TOP.agents;
const LATE = { complete: false, behind: [{ log_id: "gw_1", from_seq: 3, rows: 7 }] };

async function run(answers: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const url = await scriptedServer(answersByPath(answers));
  return runCaptured([...args, "--url", url, "--color", "never"], { outIsTerminal: true });
}

const { kill_switches: SWITCHES } = killSwitchRoutes.listKillSwitches.answers[200].example;
const ON_WILD = { scope: "agent", target_id: WILD.agent_id, account_wide: false, kill_switch_id: "ks_1" };
const STOPS = {
  "/kill-switch": { kill_switches: [{ ...SWITCHES[0], ...ON_WILD }], next_cursor: null },
  "/policies": { policies: [], next_cursor: null },
  "/policy-assignments": { policy_assignments: [], next_cursor: null },
};

/** The headings of what an agent does. */
const FIGURES = ["CALLS/MIN", "PEAK/MIN", "DENIED", "PAUSED", "COST USD", "SESSIONS", "NAMESPACE"];

describe("svc-cli top", () => {
  // proves CLI-90
  it("shows the busiest agents with the change against the hour before", async () => {
    const { exitCode, out, error } = await run({ ...STOPS, "/agents/top": TOP }, "top");
    expect([exitCode, error]).toEqual([0, ""]);
    const [, heading = "", first = ""] = out.split("\n");
    expect(heading.split(/ {2,}/)).toEqual(["AGENT", ...FIGURES, "STOPPED BY"]);
    expect(first.split(/ {2,}/)).toEqual([
      "refund-bot",
      "292.7 (293x)",
      "1180",
      "40 (new)",
      "0",
      "15 (293x)",
      "2 (1)",
      "payments",
      "ks_1",
    ]);
  });

  // proves CLI-90
  it("says how much of the hour before is known, and compares with nothing else", async () => {
    const young = { ...TOP, known_since: "2026-11-22T09:26:00.000Z" };
    const part = await run({ ...STOPS, "/agents/top": young }, "top");
    expect(part.out).toContain("; compared with the 10 min before: no earlier call is known\n");
    expect(part.out).toContain("292.7 (49x)");
    const first = await run({ ...STOPS, "/agents/top": { ...TOP, known_since: TOP.since } }, "top");
    expect(first.out).toContain("; no call from before is known, so nothing is compared\n");
    expect(first.out).toMatch(/ 292\.7 +1180 +40 +0 +15 +2 +payments/);
  });

  // proves CLI-90
  it("has a question mark where the key may not read what stops an agent", async () => {
    const url = await scriptedServer((request, response) => {
      if (request.url?.includes("/agents/top") === true)
        return answersByPath({ "/agents/top": TOP })(request, response);
      const body = JSON.stringify(problem("forbidden", "no"));
      response.writeHead(403, { "content-type": "application/problem+json" }).end(body);
    });
    const { exitCode, out } = await runCaptured(["top", "--url", url], { outIsTerminal: true });
    expect([exitCode, out.split("\n")[2]]).toEqual([0, expect.stringMatching(/ payments +\?$/)]);
  });

  it.each([
    [0, 0, ""],
    [3, 0, " (new)"],
    [3, 3, ""],
    [6, 3, " (2.0x)"],
    [4, 3, " (+33%)"],
    [0, 3, " (-100%)"],
  ])("says of %d after %d a minute: %s", (now, before, text) => {
    expect(changeText(now, before)).toBe(text);
  });

  // proves CLI-90
  it("warns about calls that the figures leave out", async () => {
    const answer = { ...TOP, counted_all: false, indexed: LATE };
    const { error } = await run({ ...STOPS, "/agents/top": answer }, "top");
    expect(error).toContain("the last calls may be missing");
    expect(error).toContain("too many agents called");
  });

  it("refuses a number of agents that the server would not answer", async () => {
    const { exitCode, error } = await run({}, "top", "-n", "1001");
    expect([exitCode, error]).toEqual([2, expect.stringContaining("from 1 to 1000")]);
  });
});

describe("svc-cli agents list", () => {
  const agents = agentRoutes.listAgents.answers[200].example;
  const listed = { ...agents.agents[0], id: WILD.agent_id, severity: "INFO" };
  const others = {
    "/agents": { ...agents, agents: [listed] },
    "/kill-switch": { kill_switches: [], next_cursor: null },
    "/policies": { policies: [], next_cursor: null },
    "/policy-assignments": { policy_assignments: [], next_cursor: null },
  };

  // proves CLI-91
  it("has the columns of top, and question marks where they are not known", async () => {
    const known = await run({ ...others, "/agents/top": TOP }, "agents", "list");
    expect(known.error).toBe("");
    expect(known.out).toContain("292.7 (293x)");
    const { exitCode, out, error } = await run(others, "agents", "list");
    expect(exitCode).toBe(0);
    expect(out.split("\n")[1]).toMatch(/( +\?){6}$/);
    expect(error).toContain("calls, denies and cost are not known");
  });
});

describe("svc-cli agents watch and show", () => {
  const { agents } = agentRoutes.listAgents.answers[200].example;
  const listed = { ...agents[0], id: WILD.agent_id, severity: "INFO" };
  const around = {
    "/agents": { agents: [listed], next_cursor: null, indexed: { complete: true, behind: [] } },
    [`/agents/${WILD.agent_id}`]: listed,
    [`/agents/${WILD.agent_id}/health`]: supervisionRoutes.getAgentHealth.answers[200].example,
    "/kill-switch": { kill_switches: [], next_cursor: null },
    "/policies": { policies: [], next_cursor: null },
    "/policy-assignments": { policy_assignments: [], next_cursor: null },
  };

  /** Watches until something was shown. */
  async function watch(answers: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
    const url = await scriptedServer(answersByPath(answers));
    let end = (): void => undefined;
    return runCaptured(["agents", "watch", "--url", url, "--color", "never", ...args], {
      outIsTerminal: true,
      onInterrupt: (ending) => {
        end = ending;
        return () => undefined;
      },
      onOut: () => end(),
    });
  }

  // proves CLI-91
  it("watch has the columns of top, and says where they are not known", async () => {
    const known = await watch({ ...around, "/agents/top": TOP });
    const shown = known.out.replaceAll("\u001b[K", "").split("\r\n");
    const at = shown.findIndex((line) => line.startsWith("AGENT"));
    const [heading = "", row = ""] = shown.slice(at);
    expect(heading.split(/ {2,}/).slice(-7)).toEqual(FIGURES);
    expect(row).toMatch(/292\.7 \(293x\) +1180 +40 \(new\) +0 +15 \(293x\) +2 \(1\)/);
    const unknown = await watch(around);
    expect(unknown.out).toMatch(/( +\?){6} /);
    expect(unknown.out).toContain("calls, denies and cost are not known");
    const line = await watch({ ...around, "/agents/top": TOP }, "-o", "ndjson");
    expect(JSON.parse(line.out)).toMatchObject({ id: WILD.agent_id, activity: { calls: 1_500, deny: 40 } });
  });

  // proves CLI-91
  it("show says what the agent did lately, or why that is not known", async () => {
    const known = await run({ ...around, "/agents/top": TOP }, "agents", "show", WILD.agent_id);
    expect(known.out).toMatch(
      /^last minutes: +1500 calls \(293x\), 40 \(new\) denied, 0 paused in 5 min 8 s; 292\.7 calls a /m,
    );
    expect(known.out).toContain("; 15 (293x) USD, 2 sessions\n");
    const unknown = await run(around, "agents", "show", WILD.agent_id);
    expect(unknown.out).toMatch(/^last minutes: +not known: calls, denies and cost are not known: /m);
    const quiet = { ...TOP, agents: [], callers: 0 };
    expect((await run({ ...around, "/agents/top": quiet }, "agents", "show", WILD.agent_id)).out).toMatch(
      /^last minutes: +no calls$/m,
    );
    const json = await run({ ...around, "/agents/top": TOP }, "agents", "show", WILD.agent_id, "--json");
    expect(JSON.parse(json.out)).toMatchObject({ activity: { calls: 1_500, deny: 40 } });
  });
});

describe("svc-cli agents activity", () => {
  const path = "/agents/refund-bot/activity";

  // proves CLI-92
  it("shows tools, rules, sessions, sums and samples", async () => {
    const { exitCode, out, error } = await run({ [path]: ACTIVITY }, "agents", "activity", "refund-bot");
    expect([exitCode, error]).toEqual([0, ""]);
    expect(out).toContain("1500 calls: 1460 allowed, 40 denied, 0 paused");
    expect(out).toMatch(/payments\.refund +1460 +40 +0 /);
    expect(out).toMatch(/deny +40 +no-large-refunds .*refund over 500 USD/);
    expect(out).toMatch(/s-81 +1460/);
    expect(out).toMatch(/amount +payments\.refund +allow +1460 +73000 +20 +500/);
    expect(out).toContain('{"amount":900,"order":"A-7"}');
  });

  // proves CLI-92
  it("warns about what the figures leave out", async () => {
    const answer = { ...ACTIVITY, counted_all: false, read_calls: 9, arguments_left_out: 3, indexed: LATE };
    const { error } = await run({ [path]: answer }, "agents", "activity", "refund-bot");
    expect(error.split("\n").filter((line) => line.startsWith("warning: "))).toHaveLength(4);
  });
});
