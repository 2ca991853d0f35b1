import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { governed } from "./governed.ts";
import { SvcClient } from "./svc-client.ts";

/** A gateway that keeps the heartbeats it gets. `statusOf` says how each is answered. */
async function serve(statusOf: (beat: object) => number = () => 200) {
  const beats: object[] = [];
  const gateway = await startHttpGateway((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const beat = JSON.parse(Buffer.concat(chunks).toString()) as object;
      beats.push(beat);
      response.writeHead(statusOf(beat), { "content-type": "application/json" });
      response.end('{"interval_seconds":15}');
    });
  });
  onTestFinished(() => gateway.close());
  return { beats, url: gateway.url, client: new SvcClient({ baseUrl: gateway.url }) };
}

describe("heartbeats", () => {
  // proves LIB-10
  it("name the session of the run around as their parent", async () => {
    const { beats, client } = await serve();
    const options = { agentId: "agent-1", heartbeats: true, client };
    await governed({ ...options, sessionId: "outer" }, async ({ sessionId }) => {
      await vi.waitFor(() => expect(beats).toHaveLength(1), CONDITION_MS);
      await governed({ ...options, sessionId: "inner", parentSessionId: sessionId }, async () => {
        await vi.waitFor(() => expect(beats).toHaveLength(2), CONDITION_MS);
      });
    });
    const inner = { session_id: "inner", parent_session_id: "outer" };
    expect(beats).toEqual([
      { session_id: "outer" },
      inner,
      { ...inner, ended: true },
      { session_id: "outer", ended: true },
    ]);
  });

  it("refuse a parent that is not a name", async () => {
    const { client } = await serve();
    expect(() => client.heartbeats("agent-1", "s-1", { parentSessionId: "a b " })).toThrow("parentSessionId");
    const run = governed({ agentId: "agent-1", parentSessionId: "a b ", client }, () => "ran");
    await expect(run).rejects.toThrow("parentSessionId");
  });

  it("send an end again that did not arrive, and none that was refused", async () => {
    const ends: string[] = [];
    const { client } = await serve((beat) => {
      if (!("ended" in beat) || !("session_id" in beat)) return 200;
      ends.push(String(beat.session_id));
      if (beat.session_id === "refused") return 404;
      return ends.filter((id) => id === "lost").length === 1 ? 503 : 200;
    });
    const both = ["refused", "lost"].map((id) => client.heartbeats("agent-1", id));
    for (const each of both) await each.end();
    await vi.waitFor(() => expect(ends).toEqual(["refused", "lost", "lost"]), CONDITION_MS);
  });

  it("end with a process that has nothing more to do", async () => {
    const { beats, url } = await serve();
    const library = join(import.meta.dirname, "index.ts");
    const script = `
      const { SvcClient } = await import(${JSON.stringify(library)});
      const client = new SvcClient({ baseUrl: ${JSON.stringify(url)} });
      for (const id of ["s-1", "s-2"]) client.heartbeats("agent-1", id);
    `;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
    const ended = beats.filter((beat) => "ended" in beat);
    expect(new Set(ended)).toEqual(new Set(["s-1", "s-2"].map((id) => ({ session_id: id, ended: true }))));
  });
});
