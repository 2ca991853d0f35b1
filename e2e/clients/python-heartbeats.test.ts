// peers: python3
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

/** Milliseconds that a test may take on a busy machine, where starting Python takes a second. */
const TIMEOUT_MS = 60_000;

const SOURCE = join(import.meta.dirname, "..", "..", "clients", "python", "src");

/** Makes one allowed call in each of some sessions, and ends as it is told once all are supervised. */
const AGENT = `
import json, os, sys, time, urllib.request
from svc_client import Client, session
client = Client(heartbeats=True, timeout_ms=20_000)
for number in range(20):
    client.execute("payments.refund", {}, agent_id="agent-1", session_id=f"run-{number}")
with session("in-block"):
    client.execute("payments.refund", {}, agent_id="agent-1")
request = urllib.request.Request(
    f"{os.environ['SVC_URL']}/api/v1/agents/agent-1/health",
    headers={"authorization": f"Bearer {os.environ['OPERATOR_KEY']}"},
)
def supervised():
    try:
        return {each["session_id"] for each in json.load(urllib.request.urlopen(request))["sessions"]}
    except urllib.error.HTTPError:
        return set()
expected = {f"run-{number}" for number in range(20)}
end = time.monotonic() + 30
while supervised() != expected and time.monotonic() < end:
    time.sleep(0.05)
print(json.dumps(sorted(supervised() ^ expected)), flush=True)
`;

// skip: the peer is not installed; continuous integration has it and fails without.
describe.skipIf(missing.python3)("the sessions of a Python process", { timeout: TIMEOUT_MS }, () => {
  // proves LIB-25
  it.each([
    ["its end", "", []],
    ["sys.exit", "sys.exit(0)", []],
    ["os._exit", "os._exit(0)", [...Array(20).keys()].map((number) => `run-${String(number)}`)],
  ])("after %s are supervised as CLIENTS.md says", async (_, ending, left) => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const operator = operatorOf(server);
    const yaml = "id: shop\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";
    expect((await operator("POST", "policies", { yaml })).status).toBe(201);
    const agent = (await issueKey(operator)).key;
    const reader = (await issueKey(operator, { role: "operator" })).key;
    const env = { PYTHONPATH: SOURCE, SVC_URL: server.url, SVC_API_KEY: agent, OPERATOR_KEY: reader };
    const ended = await runProgram("python3", ["-c", AGENT + ending], env);
    expect(ended).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
    const health = await operator("GET", "agents/agent-1/health");
    const { sessions = [] } = health.body as { readonly sessions?: readonly { session_id: string }[] };
    expect(sessions.map(({ session_id }) => session_id).toSorted()).toEqual([...left].toSorted());
  });
});
