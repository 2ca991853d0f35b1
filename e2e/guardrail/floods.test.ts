// alone: it bounds the memory of one adapter, and whose requests are answered meanwhile
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { runs } from "@svc/text/testing/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { type RecordingServer, startRecordingServer } from "../support/adapters/recording-server.ts";

const JSON_TYPE = { "content-type": "application/json" };
const ALLOW = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });
const MIB = 1024 * 1024;

/** Bytes of a large body, a little below the most that a webhook takes. */
const LARGE = MIB - 4_096;

/** Bodies of each shape at once, as count. */
const AT_ONCE = runs(8, 60);

/** Bodies that stop half way, as count: together more than the process may hold of unfinished ones. */
const STOPPED = 200;

/** Bytes that the chart gives an adapter. */
const MOST_BYTES = 512 * MIB;

/** Floods one after another, as count: what one leaves behind adds up. */
const FLOODS = runs(2, 6);

const ANSWER = { choices: [{ message: { role: "assistant", content: "hi" } }] };

function messageWith(junk: string): string {
  const message = {
    request: { json: {} },
    response: { json: ANSWER },
    requestType: "chatComplete",
    eventType: "afterRequestHook",
  };
  return JSON.stringify(message)
    .replace(/}}$/, "}")
    .replace(/("response":\{"json":\{)/, `$1"junk":${junk},`);
}

/** As often as it fits into a large body, with a comma between. */
function filled(unit: string): string {
  const count = Math.floor(LARGE / (unit.length + 1));
  return Array.from({ length: count }, () => unit).join(",");
}

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

/** `isRefused`: it is malformed, or too much for the memory, and may not pass whatever the gateway says. */
const SHAPES = [
  { name: "too deep", junk: nested(30_000), isRefused: true },
  { name: "an array that never closes", junk: "[".repeat(60_000), isRefused: true },
  { name: "large and too deep", junk: nested(LARGE / 2 - 512), isRefused: true },
  { name: "deep arrays", junk: `[${filled(nested(50))}]`, isRefused: true },
  { name: "a huge array of numbers", junk: `[${filled("0")}]`, isRefused: false },
  { name: "a huge array of objects", junk: `[${filled("{}")}]`, isRefused: true },
  { name: "repeated keys", junk: `{${filled('"a":0')}}`, isRefused: true },
  { name: "a repeated key, spelled otherwise", junk: '{"a":0,"\\u0061":0}', isRefused: true },
  {
    name: "many keys",
    junk: `{${Array.from({ length: 60_000 }, (_, n) => `"k${String(n)}":0`).join(",")}}`,
    isRefused: false,
  },
  { name: "escapes", junk: `"${"\\u0041".repeat(LARGE / 6 - 100)}"`, isRefused: false },
] as const;

let gateway: RecordingServer;
let checkgw: RunningCheckgw;
const sockets: Socket[] = [];

beforeAll(async () => {
  gateway = await startRecordingServer((_, response) => void response.writeHead(200, JSON_TYPE).end(ALLOW));
  checkgw = await startCheckgw(`http://127.0.0.1:${gateway.port}`, {
    SVC_AGENT_ID: "agent-1",
    SVC_LOG_LEVEL: "silent",
  });
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await checkgw?.stop();
  await gateway?.close();
});

async function passes(body: string): Promise<boolean> {
  const url = `http://127.0.0.1:${String(checkgw.port)}/guardrail/portkey`;
  const answer = await fetch(url, { method: "POST", headers: JSON_TYPE, body });
  expect(answer.status).toBe(200);
  return Boolean(((await answer.json()) as { verdict?: unknown }).verdict);
}

const ordinary = messageWith("0");

async function peakBytes(): Promise<number> {
  const status = await readFile(`/proc/${String(checkgw.pid)}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** A body of which half comes. @returns what is answered */
function sendHalf(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ port: checkgw.port, host: "127.0.0.1" });
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  socket.on("close", () => resolve(text));
  socket.on("error", () => undefined);
  const head = ["POST /guardrail/portkey HTTP/1.1", "host: x", `content-type: ${JSON_TYPE["content-type"]}`];
  socket.write(`${head.join("\r\n")}\r\ncontent-length: ${String(LARGE)}\r\n\r\n${" ".repeat(LARGE / 2)}`);
  return promise;
}

describe("a flood of guardrail webhooks", () => {
  // proves GRD-04
  it("of every hostile shape at once lets nothing pass that is malformed, and stays within its memory", {
    timeout: 180_000,
  }, async () => {
    await expect.poll(() => passes(ordinary), { timeout: 30_000 }).toBe(true);
    for (let flood = 0; flood < FLOODS; flood += 1) await flooded();
    await expect.poll(() => passes(ordinary), { timeout: 30_000 }).toBe(true);
    expect(await peakBytes()).toBeLessThan(MOST_BYTES);
  });
});

/** One flood, and ordinary messages beside it. */
async function flooded(): Promise<void> {
  const stopped = Array.from({ length: STOPPED }, sendHalf);
  const flood = SHAPES.flatMap(({ junk, ...shape }) => {
    const body = messageWith(junk);
    return Array.from({ length: AT_ONCE }, async () => ({ ...shape, isPassed: await passes(body) }));
  });
  let isOver = false;
  const answered = Promise.all(flood).finally(() => {
    isOver = true;
  });
  let others = 0;
  for (; !isOver; others += 1) await passes(ordinary);
  const passed = (await answered).filter(({ isPassed }) => isPassed).map(({ name }) => name);
  const refused = SHAPES.filter(({ isRefused }) => isRefused).map(({ name }) => name);
  expect(refused.filter((name) => passed.includes(name))).toEqual([]);
  expect(others).toBeGreaterThan(0);
  for (const text of await Promise.all(stopped)) if (text !== "") expect(text).toMatch(/"verdict":false/);
}
