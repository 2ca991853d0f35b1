// long: it starts the program for each setting
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ALLOW_BODY } from "@svc/decision-client/testing/answers";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpProxyEnvironment } from "./mcp-proxy-environment.ts";
import { type Script, startMcpServerStub } from "./testing/mcp-server-stub.ts";
import { callOf } from "./testing/start-mcp-proxy.ts";

const MAIN = join(import.meta.dirname, "main.ts");

function start(env: Readonly<Record<string, string>>): ChildProcess {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [MAIN], { env: { PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Reads the log until the process says where it listens. */
const urlOf = (child: ChildProcess): Promise<string> => textOf(child, /"url":"(http:[^"]+)"/);

async function textOf(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const found = wanted.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`svc-mcp-proxy ended: ${text}`);
}

/** News of a gateway without kill switches. */
const NO_NEWS = '{"epoch":"e","revision":1,"complete":true,"kill_switches":[],"ended":[]}';

const post = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  });

describe("svc-mcp-proxy", () => {
  // proves MCP-01, ADP-01, ADP-04
  it("stands before the configured server, asks the configured gateway, and ends on SIGTERM", async () => {
    const asked: { url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
    const gateway = await startHttpGateway((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += String(chunk);
      });
      request.on("end", () => {
        const { url = "", headers } = request;
        if (request.method === "POST") asked.push({ url, headers, body });
        response.writeHead(200, { "content-type": "application/json" });
        response.end(request.method === "POST" ? ALLOW_BODY : NO_NEWS);
      });
    });
    onTestFinished(() => gateway.close());
    const server = await startMcpServerStub();
    onTestFinished(() => server.close());
    const child = start({
      SVC_GATEWAY_URL: gateway.url,
      SVC_API_KEY: "key-1",
      SVC_ORG_ID: "org-1",
      SVC_AGENT_ID: "agent-1",
      SVC_MCP_ID: "files",
      SVC_MCP_UPSTREAM_URL: `${server.url}/a/mcp`,
      SVC_MCP_LISTEN: "127.0.0.1:0",
    });
    const url = await urlOf(child);
    expect((await (await post(url, callOf())).json()) as object).toMatchObject({ id: 1, result: {} });
    expect(server.seen[0]?.url).toBe("/a/mcp");
    // Neither key nor organization goes to the server.
    expect(JSON.stringify(server.seen[0])).not.toMatch(/key-1|org-1/);
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[0]?.headers).toMatchObject({ authorization: "Bearer key-1", "x-svc-org-id": "org-1" });
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ agent_id: "agent-1", tool: "files.echo" });
    expect(asked[1]).toMatchObject({ url: "/api/v1/gateway/outcome" });
    expect(JSON.parse(asked[1]?.body ?? "")).toMatchObject({
      decision_id: "gateway-1.7",
      status: "succeeded",
    });
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it.each<[string, Script]>([
    ["silent", () => {}],
    [
      "in the middle of a stream",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
      },
    ],
  ])("M16: SIGTERM while its server is %s: the call is answered with its id", async (_name, script) => {
    const gateway = await startHttpGateway((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(request.method === "POST" ? ALLOW_BODY : NO_NEWS);
      });
    });
    onTestFinished(() => gateway.close());
    const server = await startMcpServerStub(script);
    onTestFinished(() => server.close());
    const child = start({
      SVC_GATEWAY_URL: gateway.url,
      SVC_AGENT_ID: "agent-1",
      SVC_MCP_UPSTREAM_URL: `${server.url}/mcp`,
      SVC_MCP_LISTEN: "127.0.0.1:0",
    });
    const answer = post(await urlOf(child), callOf({}, "last"));
    await expect.poll(() => server.seen.length, { timeout: 5_000 }).toBe(1);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const { status, text } = await answer.then(async (got) => ({
      status: got.status,
      text: await got.text(),
    }));
    expect(status).toBe(200);
    expect(text).toContain('"id":"last","error":{"code":503001,"message":"The proxy was stopped');
    expect(await ended).toEqual([0, null]);
    await expect.poll(() => server.aborted.length).toBe(1);
  });

  it("serves metrics and health at the configured address", async () => {
    const child = start({
      SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:1/mcp",
      SVC_MCP_LISTEN: "127.0.0.1:0",
      SVC_MCP_METRICS_LISTEN: "127.0.0.1:0",
      SVC_LOG_LEVEL: "info",
    });
    const url = await textOf(child, /"metrics":"(http:[^"]+)"/);
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const metric of ["svc_mcp_running_calls 0", 'svc_mcp_findings_total{finding="tool_changed"} 0'])
      expect(text).toContain(metric);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  // proves OPS-72
  it.each([
    [{}, true],
    [{ SVC_TRUSTED_PROXIES: "10.0.0.7" }, false],
  ])("warns of a listener that others reach, with %j: %j", async (env, expected) => {
    const child = start({
      SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:1/mcp",
      SVC_MCP_LISTEN: "0.0.0.0:0",
      SVC_AGENT_ID: "agent-1",
      SVC_LOG_LEVEL: "info",
      ...env,
    });
    let text = "";
    child.stdout?.on("data", (chunk) => (text += String(chunk)));
    await textOf(child, /(svc-mcp-proxy listens)/);
    expect(text.includes("calls tools as the agent agent-1, over plain HTTP")).toBe(expected);
  });

  it("listens on port 9003 of loopback by default", () => {
    expect(mcpProxyEnvironment.SVC_MCP_LISTEN.fallback).toEqual({ host: "127.0.0.1", port: 9003 });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{}, /SVC_MCP_UPSTREAM_URL/],
    [
      { SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:1/mcp", SVC_MCP_TOOL_PINS_FILE: import.meta.dirname },
      /SVC_MCP_TOOL_PINS_FILE[^]*EISDIR/,
    ],
    [{ SVC_MCP_UPSTREAM_URL: "http://user:secret@localhost/mcp" }, /SVC_MCP_UPSTREAM_URL/],
    [
      {
        SVC_MCP_ID: "a b",
        SVC_MCP_DENY_AS: "silence",
        SVC_MCP_STRICT: "1",
        SVC_MCP_ALLOWED_HOSTS: "http://a",
      },
      /SVC_MCP_ID[^]*SVC_MCP_STRICT[^]*SVC_MCP_DENY_AS[^]*SVC_MCP_ALLOWED_HOSTS/,
    ],
  ])("%j stops the start with an error that names the variable", async (env, wanted) => {
    const child = start(env);
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += String(chunk);
    });
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(1);
    expect(text).toMatch(wanted);
  });
});
