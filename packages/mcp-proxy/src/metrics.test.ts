import { describe, expect, it } from "vitest";
import { proxyOfTest } from "./testing/proxy-of-test.suite.ts";
import { callOf, DENY, type TestMcpProxy } from "./testing/start-mcp-proxy.ts";

async function valueOf(proxy: TestMcpProxy, metric: string): Promise<number | null> {
  const line = (await proxy.metrics()).split("\n").find((text) => text.startsWith(`${metric} `));
  return line === undefined ? null : Number(line.slice(metric.length));
}

const ruled = (method: string, decision: string): string =>
  `svc_mcp_rulings_total{method="${method}",decision="${decision}"}`;

describe("metrics", () => {
  it("count decisions by method, and not what passes", async () => {
    const proxy = await proxyOfTest({ settings: { strict: true } });
    await proxy.send({ body: callOf() });
    await proxy.send({ body: callOf({ name: 7 }) });
    await proxy.send({ body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    await proxy.send({ body: { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: "x" } } });
    expect(await valueOf(proxy, ruled("tools/call", "allow"))).toBe(1);
    expect(await valueOf(proxy, ruled("tools/call", "fail_closed"))).toBe(1);
    expect(await valueOf(proxy, ruled("prompts/get", "allow"))).toBe(1);
    expect(await proxy.metrics()).not.toContain('method="ping"');
  });

  it("distinguish a policy's deny from one without a verdict", async () => {
    const proxy = await proxyOfTest({ decide: DENY });
    await proxy.send({ body: callOf() });
    expect(await valueOf(proxy, ruled("tools/call", "deny"))).toBe(1);
    expect(await valueOf(proxy, ruled("tools/call", "fail_closed"))).toBe(0);
  });

  it("count from 0 on, so that an alarm sees the first event", async () => {
    const proxy = await proxyOfTest({});
    for (const decision of ["allow", "deny", "pause", "fail_closed"])
      expect(await valueOf(proxy, ruled("tools/call", decision))).toBe(0);
    for (const series of [
      'svc_mcp_upstream_faults_total{reason_code="upstream_timeout"}',
      'svc_mcp_findings_total{finding="tool_changed"}',
      'svc_mcp_refused_requests_total{cause="path"}',
    ])
      expect(await valueOf(proxy, series)).toBe(0);
  });

  it("count faults of the server, but not clients that went away", async () => {
    const proxy = await proxyOfTest({ script: (_, response) => response.destroy() });
    const fault = 'svc_mcp_upstream_faults_total{reason_code="upstream_unreachable"}';
    await proxy.send({ body: callOf() });
    expect(await valueOf(proxy, fault)).toBe(1);
    await proxy.send({});
    expect(await valueOf(proxy, fault)).toBe(2);
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": open\n\n");
    };
    const stream = await proxy.open({ body: callOf() });
    stream.destroy();
    await expect.poll(() => proxy.server.aborted.length).toBe(3);
    await expect.poll(() => valueOf(proxy, "svc_mcp_running_calls")).toBe(0);
    expect(await valueOf(proxy, fault)).toBe(2);
    expect(await valueOf(proxy, 'svc_mcp_upstream_faults_total{reason_code="upstream_invalid"}')).toBe(0);
  });

  it("M17: count running calls, those that a kill switch ended, and how long that took", async () => {
    const proxy = await proxyOfTest({ script: () => {} });
    const answer = proxy.send({ body: callOf() });
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    expect(await valueOf(proxy, "svc_mcp_running_calls")).toBe(1);
    proxy.kill({ scope: "agent", target: "agent-1" });
    await answer;
    await expect.poll(() => valueOf(proxy, "svc_mcp_kill_duration_seconds_count")).toBe(1);
    expect(await valueOf(proxy, "svc_mcp_running_calls")).toBe(0);
    expect((await proxy.send({ headers: [["Last-Event-ID", "e"]] })).status).toBe(403);
    expect(await valueOf(proxy, 'svc_mcp_findings_total{finding="resumption_refused"}')).toBe(1);
  });

  it("count defects", async () => {
    const proxy = await proxyOfTest({ decide: () => Promise.reject(new Error("defect")) });
    await proxy.send({ body: callOf() });
    expect(await valueOf(proxy, "svc_mcp_defects_total")).toBe(1);
  });
});
