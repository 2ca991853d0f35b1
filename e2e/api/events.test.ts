// long: it restarts servers
import { EventSource } from "undici";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { BOOTSTRAP_ENV, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { type EventStream, openEvents } from "../support/server/event-stream.ts";
import { BOOTSTRAP_KEY, fetchWithKey, makeKeys } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const ids = ({ events }: EventStream): unknown[] => events.map(({ data }) => data["id"]);

type Data = EventStream["events"][number]["data"];
const rowOf = ({ row }: Data) => row as Data;
const agentOf = (data: Data) => rowOf(data)["agent_id"];

const untilCount = (stream: EventStream, count: number) =>
  expect.poll(() => stream.events.length, { timeout: 10_000, interval: 10 }).toBe(count);

async function callTimes(url: string, count: number): Promise<unknown[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => execute(url)));
  return answers.map(({ body }) => body["decision_id"]);
}

describe("the event stream", () => {
  // proves API-03, EVT-01
  it("sends each durable row once, in order, with its place, masked as it is stored", async () => {
    const { url } = await serverOfTest();
    await makeKeys(url);
    const stream = await openEvents(url);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    await createPolicy(url);
    const allowed = await execute(url, { args: { key: "AKIAIOSFODNN7EXAMPLE" } });
    const decision_id = allowed.body["decision_id"];
    await send("POST", `${url}/api/v1/gateway/outcome`, { body: { decision_id, status: "succeeded" } });
    const stop = { scope: "agent", target_id: "agent-1", reason: "test", activated_by: "test" };
    await send("POST", `${url}/api/v1/kill-switch`, { body: stop });
    await execute(url);
    await send("POST", `${url}/api/v1/keys`, { body: { name: "k", role: "agent" } });
    await expect.poll(() => stream.events.map(({ name }) => name).at(-1), { timeout: 5_000 }).toBe("key");
    const rows = (await checkedExport(url)).map(({ row }) => row);
    const shown = stream.events.map(({ data: { row } }) => row);
    expect(shown).toEqual(rows.slice(rows.length - shown.length));
    expect(stream.events.map(({ name, data }) => [name, data["id"]])).toEqual(
      stream.events.map(({ data }) => [data["kind"], `${String(data["log_id"])}.${String(data["seq"])}`]),
    );
    expect(ids(stream)).toContain(decision_id);
    expect(JSON.stringify(stream.events)).not.toContain("AKIAIOSFODNN7EXAMPLE");
  });

  // proves EVT-02
  it("goes on behind Last-Event-ID without loss and without repetition, also after a kill -9", async () => {
    const dataDir = await temporaryDirectory();
    const first = await serverOfTest({ dataDir });
    await createPolicy(first.url);
    // Many like calls can be an anomaly, which has a row of its own.
    const query = "?kind=decision";
    const one = await openEvents(first.url, { query });
    const expected = await callTimes(first.url, 20);
    await untilCount(one, 20);
    const middle = one.events[9]?.id ?? "";
    one.close();
    expected.push(...(await callTimes(first.url, 600)));
    await first.stop("SIGKILL");
    const second = await serverOfTest({ dataDir });
    const two = await openEvents(second.url, { query, headers: { "last-event-id": middle } });
    await untilCount(two, 610);
    const later = await callTimes(second.url, 3);
    await untilCount(two, 613);
    expect(new Set([...ids(one).slice(0, 10), ...ids(two)])).toEqual(new Set([...expected, ...later]));
    const places = two.events.map(({ data }) => data["seq"] as number);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(new Set(places).size).toBe(places.length);
  }, 60_000);

  // proves EVT-03
  it("names a gap when the id is not of these logs, and refuses what is not an id", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url);
    await execute(url);
    const foreign = await openEvents(url, { headers: { "last-event-id": "gw_other=7" } });
    await expect.poll(() => foreign.events[0]?.name).toBe("gap");
    expect(foreign.events[0]?.data).toMatchObject({ reason: "unknown_id", after: "gw_other=7" });
    const malformed = await send("GET", `${url}/api/v1/events/stream`, {
      headers: { "last-event-id": "no id" },
    });
    expect([malformed.status, malformed.body["code"]]).toEqual([400, "invalid_header"]);
    const wrong = await send("GET", `${url}/api/v1/events/stream?kind=decision,nothing`);
    expect([wrong.status, wrong.body["code"]]).toEqual([400, "invalid_request"]);
    const head = await fetchWithKey(`${url}/api/v1/events/stream`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  });

  // proves EVT-04
  it("filters by kind, agent, namespace and decision; an outcome goes with its decision", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url);
    await makeKeys(url);
    const [denied, agents, all] = await Promise.all([
      openEvents(url, { query: "?decision=deny,pause" }),
      openEvents(url, { query: "?agent_id=agent-1&kind=decision,outcome" }),
      openEvents(url),
    ]);
    const allowed = await execute(url);
    await execute(url, { agent_id: "agent-2" });
    const { decision_id } = allowed.body;
    await send("POST", `${url}/api/v1/gateway/outcome`, { body: { decision_id, status: "failed" } });
    // Streams are written to one after another: each has a wait of its own.
    await Promise.all([untilCount(all, 3), untilCount(denied, 1), untilCount(agents, 2)]);
    expect(denied.events.map(({ data }) => agentOf(data))).toEqual(["agent-2"]);
    expect(agents.events.map(({ name }) => name)).toEqual(["decision", "outcome"]);
  });

  it("ends with a comment when the server stops", async () => {
    const server = await serverOfTest();
    const stream = await openEvents(server.url);
    // An end by force, after the grace for open streams, has another code.
    expect(await server.stop("SIGTERM")).toBe(0);
    await expect.poll(stream.isOver).toBe(true);
    expect(stream.comments.at(-1)).toContain("the server stops");
  });

  it("serves the EventSource of a browser's standard, which connects again by itself", async () => {
    const dataDir = await temporaryDirectory();
    // An EventSource sends no key.
    const server = await serverOfTest({ dataDir, authentication: "off" });
    await createPolicy(server.url);
    const source = new EventSource(`${server.url}/api/v1/events/stream?kind=decision`);
    const heard: unknown[] = [];
    source.addEventListener("decision", (event) => {
      if ("data" in event) heard.push(JSON.parse(String(event.data)).id);
    });
    await expect.poll(() => source.readyState).toBe(EventSource.OPEN);
    const expected = await callTimes(server.url, 3);
    await expect.poll(() => new Set(heard)).toEqual(new Set(expected));
    await server.stop("SIGTERM");
    const env = { SVC_LISTEN: `127.0.0.1:${String(server.port)}` };
    const again = await serverOfTest({ dataDir, env, authentication: "off" });
    expected.push(...(await callTimes(again.url, 3)));
    await expect.poll(() => new Set(heard), { timeout: 15_000 }).toEqual(new Set(expected));
    expect(heard).toHaveLength(expected.length);
    source.close();
  }, 40_000);
});

describe("keys and the event stream", () => {
  // proves EVT-05
  it("shows an organization its own events, and a bound key those of what it is bound to", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const operator = operatorOf(server);
    const other = await issueKey(operator, { role: "admin", org_id: "another" });
    const bound = await issueKey(operator, { role: "operator", agents: ["agent-1"] });
    const as = (key: string) => openEvents(server.url, { headers: { authorization: `Bearer ${key}` } });
    const [mine, theirs, narrow] = await Promise.all([BOOTSTRAP_KEY, other.key, bound.key].map(as));
    await operator("POST", "gateway/execute", { json: { agent_id: "agent-1", tool: "t" } });
    await operator("POST", "gateway/execute", { json: { agent_id: "agent-2", tool: "t" } });
    await clientOf(server, other.key)("POST", "gateway/execute", { json: { agent_id: "x", tool: "t" } });
    await expect.poll(() => mine?.events.length).toBe(2);
    await expect.poll(() => theirs?.events.map(({ data }) => agentOf(data))).toEqual(["x"]);
    await expect.poll(() => narrow?.events.map(({ data }) => agentOf(data))).toEqual(["agent-1"]);
  });

  // proves EVT-06
  it("ends the streams of a key that is revoked", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const operator = operatorOf(server);
    const { id, key } = await issueKey(operator, { role: "auditor" });
    const stream = await openEvents(server.url, { headers: { authorization: `Bearer ${key}` } });
    expect(stream.status).toBe(200);
    await operator("DELETE", `keys/${id}`);
    await expect.poll(stream.isOver, { timeout: 5_000 }).toBe(true);
    expect(stream.events.map(({ data }) => rowOf(data)["action"])).not.toContain("revoked");
  });
});
