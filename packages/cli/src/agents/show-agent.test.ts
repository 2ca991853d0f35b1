import { agentRoutes } from "@svc/api/agent-routes";
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
const HEALTH = { status: 200, body: supervisionRoutes.getAgentHealth.answers[200].example };
const refused = (body: Problem): Answered => ({ status: body.status, body });
const UNSUPERVISED = refused(problem("not_found", "Agent a is not registered."));

interface Answered {
  readonly status: number;
  readonly body: object;
}

async function show(health: Answered, ...more: readonly string[]) {
  const server = await startHttpGateway(({ url = "" }, response) => {
    const { status, body } = url.endsWith("/health") ? health : { status: 200, body: AGENT };
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
  const json = await show(UNSUPERVISED, "-o", "json");
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
