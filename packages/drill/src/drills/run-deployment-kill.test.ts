import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeFaults, startFakeDeployment } from "../testing/fake-deployment.ts";
import { runDeploymentKill } from "./run-deployment-kill.ts";

/** Far more than a fake takes, so that a busy machine does not decide the test. */
const TARGET_MS = 60_000;

async function drill(faults: FakeFaults = {}, signal = new AbortController().signal) {
  const deployment = await startFakeDeployment(["gw-1", "gw-2"], faults);
  onTestFinished(() => deployment.close());
  const [url] = deployment.urls;
  if (url === undefined) throw new Error("two gateways");
  const settings = { apiKey: null, targetMs: TARGET_MS, signal, onProgress: () => undefined };
  const report = await runDeploymentKill({ url, gatewayUrls: deployment.urls, ...settings });
  const faultsFound = report.checks.filter(({ verdict }) => verdict !== "passed");
  return { report, deployment, found: faultsFound.map(({ id, gateway }) => [id, gateway]) };
}

// proves DRILL-07
describe("drill kill of a deployment", () => {
  it("passes when every gateway stops the made-up agent, and leaves no switch", async () => {
    const { report, deployment } = await drill();
    expect(report).toMatchObject({ verdict: "passed", ended_early: null, subject: { kind: "deployment" } });
    expect(deployment.active.size).toBe(0);
    expect([...deployment.agents]).toEqual([expect.stringMatching(/^svc-drill-[0-9a-f]{32}$/)]);
  });

  // proves DRILL-01
  it("finds a gateway that acknowledges a kill and does not follow it", async () => {
    const { report, found, deployment } = await drill({ deaf: ["gw-2"] });
    expect(report.verdict).toBe("failed");
    expect(found).toContainEqual(["no_call_after_kill", "gw-2"]);
    expect(found.filter(([, gateway]) => gateway === "gw-1")).toEqual([]);
    expect(deployment.active.size).toBe(0);
  });

  // proves DRILL-05
  it("does not pass when a gateway is listed that it could not ask", async () => {
    const { report, found } = await drill({ hidden: ["gw-3"] });
    expect([report.verdict, found]).toEqual(["not_measured", [["every_gateway_seen", "gw-3"]]]);
  });

  it("tries again to end its switch, and fails when it cannot", async () => {
    const { report, deployment } = await drill({ failedEnds: 3 });
    expect([report.verdict, deployment.active.size]).toEqual(["passed", 0]);
    const stuck = await drill({ failedEnds: 1_000 });
    expect([stuck.report.verdict, stuck.found]).toEqual(["failed", [["cleaned_up", null]]]);
  });

  it("ends the switch of an activation whose answer was lost", async () => {
    const { report, deployment } = await drill({ losesAnswer: true });
    expect(report.verdict).toBe("not_measured");
    expect(report.ended_early).toContain("/api/v1/kill-switch failed");
    expect(deployment.active.size).toBe(0);
  });

  it("ends its switch when it is interrupted", async () => {
    const deployment = await startFakeDeployment(["gw-1"], { deaf: ["gw-1"] });
    onTestFinished(() => deployment.close());
    const [url] = deployment.urls;
    if (url === undefined) throw new Error("one gateway");
    const interrupt = new AbortController();
    const { signal } = interrupt;
    const settings = { apiKey: null, targetMs: TARGET_MS, signal, onProgress: () => undefined };
    const running = runDeploymentKill({ url, gatewayUrls: [url], ...settings });
    await expect.poll(() => deployment.active.size, { timeout: 10_000 }).toBe(1);
    interrupt.abort(new Error("interrupted"));
    expect(await running).toMatchObject({ verdict: "not_measured", ended_early: "interrupted" });
    expect(deployment.active.size).toBe(0);
  });

  it.each([
    [401, "refused"],
    [404, "unreachable"],
  ])("measures nothing when calls are answered %i", async (callStatus, kind) => {
    await expect(drill({ callStatus })).rejects.toMatchObject({ kind });
  });
});
