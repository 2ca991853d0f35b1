import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FollowOptions, followEvents } from "./follow-events.ts";
import type { Connection } from "./resolve-connection.ts";

type Answer = (response: ServerResponse) => void;

/** A server whose answers are written down. Its last answer counts for all later connections. */
async function serverOf(...answers: readonly Answer[]) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    answers[Math.min(seen.push(request), answers.length) - 1]?.(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${String(port)}`);
  return { seen, connection: { url, apiKey: "k", orgId: null, source: "--url" } satisfies Connection };
}

const stream =
  (text: string, isCut = true): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`retry: 1\nid: log=0\n\n${text}`, () => (isCut ? response.destroy() : undefined));
  };

const event = (at: number): string =>
  `event: decision\nid: log=${String(at)}\ndata: {"at":${String(at)}}\n\n`;

/** Follows until `count` events came. */
async function take(connection: Connection, count: number, options: Partial<FollowOptions> = {}) {
  const over = new AbortController();
  const taken: string[] = [];
  const cuts: string[] = [];
  const onCut = (why: string): number => cuts.push(why);
  for await (const { name, id, data } of followEvents(connection, {
    signal: over.signal,
    onCut,
    ...options,
  })) {
    taken.push([name, id, data].join(" "));
    if (taken.length === count) over.abort();
  }
  return { taken, cuts };
}

describe("followEvents", () => {
  // proves CLI-73
  it("goes on behind the last whole event after a cut", async () => {
    const half = "event: decision\nid: log=3\nda";
    const { connection, seen } = await serverOf(
      stream(`${event(1)}:\n\n${event(2)}${half}`),
      stream(`${event(3)}${event(4)}`, false),
    );
    const { taken, cuts } = await take(connection, 4);
    expect(taken).toEqual([1, 2, 3, 4].map((at) => `decision log=${String(at)} {"at":${String(at)}}`));
    expect(cuts).toHaveLength(1);
    expect(seen.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "log=2"]);
    expect(seen[0]?.headers.authorization).toBe("Bearer k");
  });

  // proves CLI-73
  it("connects again after an answer that passes, and after silence", async () => {
    const { connection } = await serverOf(
      stream(event(1)),
      (response) => response.writeHead(503).end(),
      stream("", false),
      stream(event(2), false),
    );
    const { taken, cuts } = await take(connection, 2, { silenceMs: 50 });
    expect([taken.length, cuts.length]).toEqual([2, 3]);
  });

  it.each([
    [401, 4],
    [403, 4],
    [500, 3],
  ])("ends at a first answer of %i with exit code %i", async (status, exitCode) => {
    const { connection } = await serverOf((response) => response.writeHead(status).end());
    await expect(take(connection, 1)).rejects.toMatchObject({ exitCode });
  });

  it("ends when the key is refused later", async () => {
    const { connection } = await serverOf(stream(event(1)), (response) => response.writeHead(401).end());
    await expect(take(connection, 2)).rejects.toMatchObject({ exitCode: 4 });
  });

  it("ends with 3 when nobody listens", async () => {
    const connection = { url: new URL("http://127.0.0.1:1"), apiKey: null, orgId: null, source: "--url" };
    await expect(take(connection, 1)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("the control plane at http://127.0.0.1:1 (--url) does not answer"),
    });
  });
});
