import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { BodyBudget } from "./body-budget.ts";
import { readBody } from "./read-body.ts";

const LIMIT = 10;

function requestOf(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage;
}

const whole = (text: string) => ({ kind: "body", bytes: Buffer.from(text) });

describe("readBody", () => {
  it("joins what comes in pieces", async () => {
    const request = requestOf();
    const body = readBody(request, LIMIT);
    for (const piece of ["abc", "def", "ghij"]) request.write(piece);
    request.end();
    expect(await body).toEqual({ kind: "body", bytes: Buffer.from("abcdefghij") });
  });

  it("reads no body as an empty one", async () => {
    const request = requestOf();
    request.end();
    expect(await readBody(request, LIMIT)).toEqual({ kind: "body", bytes: Buffer.alloc(0) });
  });

  it("E5: believes an announced length that is too large, and reads nothing", async () => {
    const request = requestOf({ "content-length": "11" });
    expect(await readBody(request, LIMIT)).toEqual({ kind: "too_large" });
    expect(request.readableFlowing).toBeNull();
  });

  it("E5: believes no announced length that is too small", async () => {
    const request = requestOf({ "content-length": "1" });
    request.end("x".repeat(LIMIT + 1));
    expect(await readBody(request, LIMIT)).toEqual({ kind: "too_large" });
  });

  it("E5: stops at the limit, and stays with that answer whatever comes behind it", async () => {
    const request = requestOf();
    const body = readBody(request, LIMIT);
    request.write("x".repeat(LIMIT + 1));
    expect(await body).toEqual({ kind: "too_large" });
    expect(request.isPaused()).toBe(true);
    request.resume();
    request.end("more");
    request.emit("error", new Error("late"));
    request.destroy();
    expect(await body).toEqual({ kind: "too_large" });
  });

  it.each([
    ["an error", (request: PassThrough) => request.destroy(new Error("reset"))],
    ["a close without an end", (request: PassThrough) => request.destroy()],
  ])("takes %s for a body that broke off", async (_, breakOff) => {
    const request = requestOf();
    const body = readBody(request, LIMIT);
    request.write("abc");
    breakOff(request);
    expect(await body).toEqual({ kind: "aborted" });
  });

  it("does not wait for what has passed already", async () => {
    const gone = requestOf();
    gone.destroy();
    expect(await readBody(gone, LIMIT)).toEqual({ kind: "aborted" });
    const read = requestOf();
    read.end("abc");
    await readBody(read, LIMIT);
    expect(await readBody(read, LIMIT)).toEqual({ kind: "aborted" });
  });

  // proves FAIR-16
  it("refuses the body that began first when all together hold too much, and the others go on", async () => {
    const budget = new BodyBudget(15);
    const [stuck, other, last] = [requestOf(), requestOf(), requestOf()] as const;
    const [first, second, third] = [stuck, other, last].map((request) =>
      readBody(request, LIMIT, { budget }),
    );
    stuck.write("x".repeat(9));
    other.write("abc");
    await turn();
    expect(budget.bytes).toBe(12);
    last.end("defg");
    expect([await first, stuck.isPaused()]).toEqual([{ kind: "overloaded" }, true]);
    other.end("d");
    expect([await second, await third]).toEqual(["abcd", "defg"].map(whole));
    expect(budget.bytes).toBe(0);
  });

  it.each([
    ["the connection ends", (request: PassThrough) => void request.destroy()],
    ["the body is too long", (request: PassThrough) => void request.write("x".repeat(LIMIT))],
  ])("gives the bytes of a body back when %s", async (_, end) => {
    const budget = new BodyBudget(LIMIT);
    const request = requestOf();
    const body = readBody(request, LIMIT, { budget });
    request.write("abc");
    await turn();
    expect(budget.bytes).toBe(3);
    end(request);
    await body;
    expect(budget.bytes).toBe(0);
  });

  it("gives the bytes of a body back when its wait is ended", async () => {
    const budget = new BodyBudget(LIMIT);
    const request = requestOf();
    const waiting = new AbortController();
    const body = readBody(request, LIMIT, { budget, signal: waiting.signal });
    request.write("abc");
    await turn();
    waiting.abort();
    expect([await body, budget.bytes]).toEqual([{ kind: "aborted" }, 0]);
  });
});
