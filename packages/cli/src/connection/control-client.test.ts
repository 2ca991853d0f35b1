import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { agentRoutes } from "@svc/api/agent-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { problem } from "@svc/contract/problem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ControlClient } from "./control-client.ts";

let server: Server;
let client: ControlClient;
let seen: IncomingMessage[] = [];
let answers: ((response: ServerResponse) => void)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${String(port)}/base`);
  client = new ControlClient({ url, apiKey: "k", orgId: "o", source: "--url" });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
});

const json = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
const PAGE = agentRoutes.listAgents.answers[200].example;
const ACTIVATION = killSwitchRoutes.activateKillSwitch.body.example;

describe("ControlClient", () => {
  // proves CLI-28
  it("asks as the description says, and reads the answer", async () => {
    answers = [json(200, PAGE)];
    const query = { severity: "WARNING,CRITICAL", tag: undefined };
    const { status, body } = await client.ask(agentRoutes.listAgents, { query });
    expect([status, body]).toEqual([200, PAGE]);
    expect(seen[0]?.url).toBe("/base/api/v1/agents?severity=WARNING%2CCRITICAL");
    expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer k", "x-svc-org-id": "o" });
    answers = [json(200, PAGE.agents[0])];
    await client.ask(agentRoutes.getAgent, { params: { agent_id: "a/b" } });
    expect(seen[1]?.url).toBe("/base/api/v1/agents/a%2Fb");
  });

  // proves CLI-28
  it("leaves out what a later server adds, and refuses what lacks something", async () => {
    answers = [json(200, { ...PAGE, later: 1 })];
    expect((await client.ask(agentRoutes.listAgents)).body).toEqual(PAGE);
    answers = [json(200, { agents: [] })];
    await expect(client.ask(agentRoutes.listAgents)).rejects.toMatchObject({ exitCode: 3 });
    answers = [(response) => response.writeHead(200).end("<html>")];
    await expect(client.ask(agentRoutes.listAgents)).rejects.toMatchObject({ exitCode: 3 });
  });

  // proves CLI-28
  it.each([
    ["unauthenticated", 4],
    ["forbidden", 4],
    ["not_found", 1],
    ["invalid_request", 2],
    ["internal_error", 3],
  ] as const)("says what the service says: %s ends with %i", async (code, exitCode) => {
    const refusal = problem(code, "the detail");
    answers = [json(refusal.status, refusal)];
    await expect(client.ask(agentRoutes.getAgent, { params: { agent_id: "a" } })).rejects.toMatchObject({
      exitCode,
      message: expect.stringContaining(`${refusal.title}: the detail`) as string,
    });
  });

  // proves CLI-28
  it("follows no redirect, which would take the key elsewhere", async () => {
    answers = [(response) => response.writeHead(302, { location: "/other" }).end()];
    await expect(client.ask(agentRoutes.listAgents)).rejects.toMatchObject({ exitCode: 3 });
    expect(seen).toHaveLength(1);
  });

  // proves CLI-28
  it("tries again while the server is busy, under one Idempotency-Key", async () => {
    const busy = json(503, problem("overloaded", "busy"));
    answers = [busy, (response) => response.destroy(), json(201, ACTIVATED)];
    const { status } = await client.ask(killSwitchRoutes.activateKillSwitch, { body: ACTIVATION });
    expect(status).toBe(201);
    const keys = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    answers = [busy];
    await expect(client.ask(agentRoutes.listAgents)).rejects.toMatchObject({ exitCode: 3 });
  });

  // proves CLI-28
  it("does what must not be done twice only once", async () => {
    answers = [json(503, problem("overloaded", "busy"))];
    const question = { params: { kill_switch_id: "ks" }, body: { reason: "r", deactivated_by: "me" } };
    await expect(client.ask(killSwitchRoutes.deactivateKillSwitch, question)).rejects.toMatchObject({
      exitCode: 3,
    });
    expect(seen).toHaveLength(1);
  });

  // proves CLI-28
  it("waits for a server that hangs 15 s in all, and not the longest wait three times", async () => {
    let nowMs = 0;
    const waits: number[] = [];
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      waits.push(ms);
      return new AbortController().signal;
    });
    vi.stubGlobal("fetch", async () => {
      nowMs += waits.at(-1) ?? 0;
      throw new Error("the wait is over");
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
    });
    await expect(client.ask(agentRoutes.listAgents)).rejects.toMatchObject({ exitCode: 3 });
    expect(waits).toEqual([12_000, 3_000]);
  });

  // proves CLI-41
  it("says that its time was over, also between two attempts", async () => {
    const connection = { url: new URL("http://127.0.0.1:9"), apiKey: null, orgId: null, source: "--url" };
    const gone = new ControlClient(connection, AbortSignal.timeout(100));
    await expect(gone.ask(agentRoutes.listAgents)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  // proves CLI-28
  it("ends with 3 when nobody listens", async () => {
    const url = new URL("http://127.0.0.1:9");
    const gone = new ControlClient({ url, apiKey: null, orgId: null, source: "SVC_URL" });
    await expect(gone.ask(agentRoutes.listAgents)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("the control plane at http://127.0.0.1:9 (SVC_URL)") as string,
    });
  });
});

const ACTIVATED = killSwitchRoutes.activateKillSwitch.answers[201].example;
