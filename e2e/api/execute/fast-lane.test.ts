// long: it sends every hostile frame to two servers, and opens thousands of connections

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { bytesOf, HOSTILE_FRAMES, type HostileFrame } from "../../support/requests/hostile-frames.ts";
import { steadyLoad } from "../../support/requests/load.ts";
import { createPolicy, execute } from "../../support/server/api.ts";
import { allowedIds, checkedExport, withoutRow } from "../../support/server/audit-export.ts";
import { activateEnforced } from "../../support/server/kill-switches.ts";
import { keyOf } from "../../support/server/role-keys.ts";
import { type ServerOptions, type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";

/** Milliseconds for a listener to answer a frame or to close its connection: longer than its own times. */
const ANSWER_MS = 25_000;

const IDLE_CONNECTIONS = 10_000;

/** Connections that are opened at once, as count: fewer than a listener's backlog. */
const OPENED_AT_ONCE = 200;

async function governed(options: ServerOptions = {}): Promise<ServerProcess> {
  const server = await serverOfTest({ ...options, env: { SVC_FAST_LANE: "on", ...options.env } });
  expect((await createPolicy(server.url)).status).toBe(201);
  return server;
}

interface LaneCounts {
  readonly taken: number;
  readonly handedOver: number;
}

async function countsOf({ url }: ServerProcess): Promise<LaneCounts> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  return { taken: value("svc_http_lane_requests_total"), handedOver: value("svc_http_lane_handovers_total") };
}

async function openConnections({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [...text.matchAll(/^svc_connections\{state="\w+"\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

const agentKeyOf = async ({ url }: ServerProcess): Promise<string> => (await keyOf("agent", url)) ?? "";

function call(session: string, key: string): Buffer {
  const body = JSON.stringify({ agent_id: "agent-1", session_id: session, tool: "payments.refund" });
  const headers = ["Host: localhost", "Content-Type: application/json", `Authorization: Bearer ${key}`];
  const lines = ["POST /v1/gateway/execute HTTP/1.1", ...headers];
  return Buffer.from(`${lines.join("\r\n")}\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`);
}

/** The first final answer to a frame on a connection that the client keeps. Empty: it was closed without. */
function firstAnswer(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error("neither answered nor closed in time")));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (wholeAnswer(text) !== null) socket.destroy();
    });
    socket.on("error", (error) =>
      "code" in error && error.code === "ECONNRESET" ? undefined : reject(error),
    );
    socket.on("close", () => resolve(wholeAnswer(text) ?? text));
  });
}

/** Without what comes behind the first final answer; null while that is not whole. */
function wholeAnswer(text: string): string | null {
  const final = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(final) ?? [];
  const end = final.indexOf("\r\n\r\n") + 4 + Number(length ?? 0);
  return final.includes("\r\n\r\n") && final.length >= end ? final.slice(0, end) : null;
}

/**
 * What depends neither on the time nor on the server. A refusal keeps its connection when the body has
 * arrived before it, and the two differ in when that is.
 */
const lasting = (text: string): string =>
  text
    .replaceAll(/^(?:date|connection|keep-alive): .*\r\n/gim, "")
    .replaceAll(/req_[0-9a-f]{32}/g, "req")
    .replaceAll(/gw_[0-9a-f]{12}\.\d+/g, "gw")
    .replaceAll(/content-length: \d+/g, "");

const kept = (frame: HostileFrame, key: string): Buffer => {
  const closing = bytesOf(frame, "execute", key).toString("latin1");
  return Buffer.from(closing.replaceAll("Connection: close\r\n", ""), "latin1");
};

describe("the lane in front of the HTTP parser", () => {
  // proves OPS-67
  it("E21: answers every hostile frame as the server without it, and takes only sound ones", async () => {
    const [on, off] = await Promise.all([governed(), governed({ env: { SVC_FAST_LANE: "off" } })]);
    const targets = await Promise.all(
      [on, off].map(async (server) => ({ port: server.port, key: await agentKeyOf(server) })),
    );
    const answers = await Promise.all(
      HOSTILE_FRAMES.map(async (frame) => {
        const both = await Promise.all(targets.map(({ port, key }) => firstAnswer(port, kept(frame, key))));
        return {
          frame: frame.name,
          fate: frame.fate,
          on: lasting(both[0] ?? ""),
          off: lasting(both[1] ?? ""),
        };
      }),
    );
    for (const { frame, on: laned, off: plain } of answers)
      expect({ frame, text: laned }).toEqual({ frame, text: plain });
    const { handedOver } = await countsOf(on);
    expect(handedOver).toBeGreaterThan(HOSTILE_FRAMES.length / 2);
    expect(await countsOf(off)).toEqual({ taken: Number.NaN, handedOver: Number.NaN });
  }, 120_000);

  // proves OPS-67
  it("serves ordinary clients, and its answers have their rows", async () => {
    const server = await governed();
    const load = steadyLoad(server.url, 50, (index) => ({ session_id: `s-${String(index)}` }));
    await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(500), { timeout: CONDITION_MS });
    const answers = await load.stop();
    const { taken } = await countsOf(server);
    // A connection that a client opened and left unused for a second went to the parser.
    expect(taken).toBeGreaterThan(answers.length / 2);
    const allowed = allowedIds(answers);
    expect(allowed).toHaveLength(answers.length);
    expect(withoutRow(allowed, await checkedExport(server.url))).toEqual([]);
  });

  // proves OPS-67
  it("L5: has a row for every allow that arrived before kill -9", async () => {
    const dataDir = await temporaryDirectory();
    const server = await governed({ dataDir });
    const load = steadyLoad(server.url, 200);
    const isTaken = async () => expect((await countsOf(server)).taken).toBeGreaterThan(300);
    await vi.waitFor(isTaken, { timeout: CONDITION_MS });
    await server.stop("SIGKILL");
    const received = allowedIds(await load.stop());
    const restarted = await serverOfTest({ dataDir });
    expect(withoutRow(received, await checkedExport(restarted.url))).toEqual([]);
  }, 60_000);

  // proves OPS-67
  it("E22: decides and stops calls while 10,000 connections are idle in it", async () => {
    // All of them come from one address, faster than one that no proxy has may open them.
    const server = await governed({ env: { SVC_TRUSTED_PROXIES: "127.0.0.1" } });
    const key = await agentKeyOf(server);
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const openOne = async (index: number): Promise<void> => {
      const socket = connect(server.port, "127.0.0.1");
      sockets.push(socket);
      await once(socket, "connect");
      // Every second one has had an answer, so it stays in the lane.
      if (index % 2 === 0) return;
      socket.write(call(`idle-${String(index)}`, key));
      await once(socket, "data");
    };
    for (let opened = 0; opened < IDLE_CONNECTIONS; opened += OPENED_AT_ONCE)
      await Promise.all(Array.from({ length: OPENED_AT_ONCE }, (_, index) => openOne(opened + index)));
    // The system accepts a connection before the server has taken it.
    await expect.poll(() => openConnections(server)).toBeGreaterThanOrEqual(IDLE_CONNECTIONS);
    expect((await execute(server.url)).body).toMatchObject({ decision: "allow" });
    await activateEnforced(server.url, { scope: "agent", target_id: "agent-1" });
    const killed = await Promise.all(
      sockets
        .filter((_, index) => index % 100 === 1)
        .map(async (socket) => {
          const answer = once(socket, "data") as Promise<[Buffer]>;
          socket.write(call("late", key));
          return String((await answer)[0]);
        }),
    );
    for (const text of killed) expect(text).toContain('"decision":"deny"');
    expect(await server.stop()).toBe(0);
  }, 180_000);
});
