import { agentRoutes } from "@svc/api/agent-routes";
import { assignmentRoutes } from "@svc/api/assignment-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import { type Problem, problem } from "@svc/contract/problem";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const AGENT = {
  ...agentRoutes.getAgent.answers[200].example,
  id: "a",
  registered_at: null,
  status: "discovered",
};
const { policies } = policyRoutes.listPolicies.answers[200].example;
const { kill_switches } = killSwitchRoutes.listKillSwitches.answers[200].example;
const SWITCH = { ...kill_switches[0], scope: "agent", target_id: "a", account_wide: false };

/** What is known of policies and switches: agent a has the first policy. */
const AROUND: Readonly<Record<string, object>> = {
  "/policies": { policies, next_cursor: null },
  "/policy-assignments": {
    policy_assignments: [
      {
        ...assignmentRoutes.listAssignments.answers[200].example.policy_assignments[0],
        policy_id: policies[0]?.id,
        agent_id: "a",
        namespace_id: null,
      },
    ],
    next_cursor: null,
  },
  "/kill-switch": { kill_switches: [], next_cursor: null },
};
const HEALTH = { status: 200, body: supervisionRoutes.getAgentHealth.answers[200].example };
const refused = (body: Problem): Answered => ({ status: body.status, body });
const UNSUPERVISED = refused(problem("not_found", "Agent a is not registered."));

interface Answered {
  readonly status: number;
  readonly body: object;
}

async function show(health: Answered, around = AROUND, ...more: readonly string[]) {
  const server = await startHttpGateway(({ url = "" }, response) => {
    const path = new URL(url, "http://any").pathname.replace("/api/v1", "");
    const other = { status: 200, body: around[path] ?? AGENT };
    const { status, body } = url.endsWith("/health") ? health : other;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  onTestFinished(() => server.close());
  return runCaptured(["agents", "show", "a", "--url", server.url, ...more]);
}

// proves CLI-29
it("shows what is known of an agent that was never registered and sends no heartbeat", async () => {
  const { exitCode, out, error } = await show(UNSUPERVISED);
  expect([exitCode, error]).toEqual([0, ""]);
  expect(out).toMatch(/^status: +discovered\nregistered: +no\nlast seen: /m);
  expect(out).toMatch(/^heartbeats: +none, so nothing escalates/m);
  const json = await show(UNSUPERVISED, AROUND, "-o", "json");
  expect(JSON.parse(json.out)).toMatchObject({ agent: { id: "a" }, health: null });
});

// proves CLI-29
it("shows the heartbeats of one that sends them", async () => {
  const { exitCode, out } = await show(HEALTH);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^next escalation: /m);
});

// proves CLI-29
it("does not take a fault of the server for an agent without heartbeats", async () => {
  expect(await show(refused(problem("unavailable", "no")))).toMatchObject({ exitCode: 3, out: "" });
}, 30_000);

// proves CLI-29
it("says what stops the agent, and by which policy and mode it is decided about", async () => {
  const free = await show(UNSUPERVISED);
  expect(free.out).toMatch(/^kill switches: +none on the agent, its namespace or everything$/m);
  expect(free.out).toMatch(/^policy: +demo, enforcement$/m);
  const stopped = await show(UNSUPERVISED, {
    ...AROUND,
    "/kill-switch": { kill_switches: [SWITCH], next_cursor: null },
    "/policies": { policies: policies.map((one) => ({ ...one, enabled: false })), next_cursor: null },
  });
  expect(stopped.out).toMatch(new RegExp(`^STOPPED BY: +${String(SWITCH.kill_switch_id)} on agent a: `, "m"));
  expect(stopped.out).toMatch(/^policy: +policy demo is disabled, so every call that it governs is denied/m);
});
