import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { BodyDiscard } from "./discard-body.ts";
import { createEdgeServer } from "./edge-server.ts";
import { listen } from "./listen.ts";
import { sendJson } from "./send-json.ts";

const MAX_BYTES = 1_000;

/** Discards each body and says whether its connection stays open. */
async function discarded(body: Buffer, headers: Record<string, string>) {
  const discard = new BodyDiscard();
  const server = createEdgeServer({
    handle: async (incoming, response) => {
      await discard.run(incoming, MAX_BYTES);
      sendJson(response, 200, {});
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close(0));
  const outgoing = request(listening.url, { method: "POST", headers });
  outgoing.on("error", () => undefined);
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [
    { headers: { connection?: string }; resume(): void },
  ];
  answer.resume();
  return answer.headers.connection;
}

describe("BodyDiscard", () => {
  it.each([
    {
      name: "a body that is short enough",
      size: MAX_BYTES,
      headers: { "content-length": String(MAX_BYTES) },
      kept: true,
    },
    { name: "a body in chunks", size: 10, headers: { "transfer-encoding": "chunked" }, kept: true },
    { name: "no body", size: 0, headers: { "content-length": "0" }, kept: true },
    {
      name: "a body that announces too much",
      size: 10,
      headers: { "content-length": String(MAX_BYTES + 1) },
      kept: false,
    },
    {
      name: "a body that grows too long",
      size: 2 * MAX_BYTES,
      headers: { "transfer-encoding": "chunked" },
      kept: false,
    },
  ])("ends, and keeps the connection only when all was read: $name", async ({ size, headers, kept }) => {
    const connection = await discarded(Buffer.alloc(size), headers);
    expect(connection).toBe(kept ? "keep-alive" : "close");
  });
});

it("answers a flood of refusals without reading all of it", async () => {
  const held = Promise.withResolvers<void>();
  const discard = new BodyDiscard();
  const endless = (): IncomingMessage => {
    const body = new PassThrough();
    void held.promise.then(() => body.end());
    return Object.assign(body, { headers: { "content-length": "1" } }) as unknown as IncomingMessage;
  };
  const first = Array.from({ length: 16 }, () => discard.run(endless(), MAX_BYTES));
  const flood = Array.from({ length: 1_000 }, () => discard.run(endless(), MAX_BYTES));
  const early = await Promise.race(
    [...first, ...flood].map((run) => run.then(() => "early")).concat(nextTurn("none")),
  );
  expect(early).toBe("none");
  held.resolve();
  await Promise.all([...first, ...flood]);
});
