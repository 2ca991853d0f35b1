// long: it asks a server about every request that the lane takes

import { once } from "node:events";
import { connect, Socket } from "node:net";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { LANE_PATHS, type SeenRequest, startLaneEdge } from "../testing/lane-edge.ts";
import { LaneRequests } from "./lane-requests.ts";

/** Requests that are tried, as count. */
const RUNS = runs(2_000, 100_000);

const someText = fc.string({
  unit: fc.constantFrom(...Array.from(" !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\t\x7f\xff")),
  maxLength: 12,
});
const oftenOf = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const HEADERS = [
  ["Host", "localhost:8080"],
  ["content-type", "application/json"],
  ["Authorization", "Bearer svc_a_b"],
  ["User-Agent", "test/1.0 (x; y)"],
  ["Accept", "*/*"],
  ["Connection", "keep-alive"],
  ["idempotency-key", "k-1"],
  ["X-Request-Id", "r-1"],
  ["sec-fetch-mode", "cors"],
  ["accept-encoding", "gzip, br"],
  ["Transfer-Encoding", "chunked"],
  ["Content-Length", "3"],
  ["Content_Length", "3"],
  ["Expect", "100-continue"],
  ["Upgrade", "h2c"],
  ["Prefer", "wait=1"],
  ["X-Other", "1"],
  ["Host", "other"],
] as const;

/** How often a header of the list comes: Host nearly always, the lane's own often, all others rarely. */
function isSent(index: number): fc.Arbitrary<boolean> {
  if (index === 0) return oftenOf(true, fc.constant(false));
  return index < 10 ? fc.boolean() : oftenOf(false, fc.constant(true));
}

const headerLines = fc
  .tuple(
    fc.tuple(...HEADERS.map((_, index) => isSent(index))),
    fc.infiniteStream(oftenOf(": ", fc.constantFrom(":", ":  ", " : ", ":\t", "", "="))),
    fc.infiniteStream(oftenOf<string | null>(null, someText)),
  )
  .map(([sent, separators, values]) =>
    HEADERS.flatMap(([name, usual], index) => {
      if (sent[index] !== true) return [];
      const separator = separators.next().value as string;
      return [`${name}${separator}${(values.next().value as string | null) ?? usual}`];
    }),
  );

const whole = fc
  .record({
    method: oftenOf("POST", fc.constantFrom("GET", "post", "PUT", "POST ")),
    path: oftenOf<string>(
      LANE_PATHS[0],
      fc.oneof(fc.constantFrom(LANE_PATHS[1], "/x", `${LANE_PATHS[0]}?`, `/${LANE_PATHS[0]}`), someText),
    ),
    version: oftenOf(
      "HTTP/1.1",
      fc.constantFrom("HTTP/1.0", "HTTP/2.0", "http/1.1", "HTTP/1.1 ", "HTTP/0.9"),
    ),
    headers: headerLines,
    body: fc.oneof(fc.json(), someText, fc.string({ maxLength: 40 })),
    surplus: oftenOf(0, fc.integer({ min: -3, max: 3 })),
    lineEnd: oftenOf("\r\n", fc.constantFrom("\n", "\r", "\r\n ", "\r\r\n")),
    at: fc.nat(),
  })
  .map(({ method, path, version, headers, body, surplus, lineEnd, at }) => {
    const bytes = Buffer.from(body);
    const length = `Content-Length: ${String(bytes.length + surplus)}`;
    const lines = headers.toSpliced(at % (headers.length + 1), 0, length);
    return Buffer.concat([
      Buffer.from(`${[`${method} ${path} ${version}`, ...lines].join(lineEnd)}\r\n\r\n`, "latin1"),
      bytes,
    ]);
  });

/** A request with some of its bytes changed. */
const mutated = fc
  .tuple(
    whole,
    fc.array(
      fc.record({
        kind: fc.constantFrom("set", "cut", "add"),
        at: fc.nat(),
        byte: fc.oneof(fc.constantFrom(0, 9, 10, 13, 32, 58, 44, 95), fc.nat(255)),
      }),
      { maxLength: 2 },
    ),
  )
  .map(([bytes, changes]) => changes.reduce(changed, bytes));

function changed(bytes: Buffer, { kind, at, byte }: { kind: string; at: number; byte: number }): Buffer {
  const index = at % (bytes.length + 1);
  const behind = kind === "add" ? index : index + 1;
  const put = kind === "cut" ? [] : [byte];
  return Buffer.concat([bytes.subarray(0, index), Buffer.from(put), bytes.subarray(behind)]);
}

/** An edge server without a lane, which says what it reads of each request. */
async function startJudge(): Promise<(bytes: Buffer) => Promise<SeenRequest | undefined>> {
  const edge = await startLaneEdge({ lane: null });
  let socket: Socket | null = null;
  onTestFinished(async () => {
    socket?.destroy();
    await edge.close(0);
  });
  return async (bytes) => {
    if (socket === null || !socket.writable) {
      socket = connect(edge.port, "127.0.0.1");
      await once(socket, "connect");
    }
    socket.write(bytes);
    await once(socket, "data");
    const [seen] = edge.seen.splice(0);
    return seen;
  };
}

// proves OPS-67
it("what the lane takes, the edge server takes and reads the same", async () => {
  const judge = await startJudge();
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(mutated, async (bytes) => {
      const request = new LaneRequests(LANE_PATHS, new Socket()).read(bytes);
      if (request === null) return;
      taken += 1;
      const { method, url, rawHeaders, headers } = request.head;
      const body = request.body.toString("latin1");
      expect(await judge(bytes)).toEqual({ method, url, rawHeaders, headers: { ...headers }, body });
    }),
    { numRuns: RUNS },
  );
  // Otherwise the property would say little.
  expect(taken).toBeGreaterThan(RUNS / 20);
}, 600_000);

const NOTHING = Buffer.alloc(0);

const DATA_HEADERS = ["Content-Length", "X-Request-Id", "idempotency-key", "traceparent", "User-Agent"];

/** Two requests of one client: the second has other values, and sometimes another form. */
const pair = fc
  .record({
    names: fc.shuffledSubarray(DATA_HEADERS, { minLength: 1 }),
    values: fc.array(oftenOf("v-1", someText), { minLength: 10, maxLength: 10 }),
    separators: fc.array(oftenOf(": ", fc.constantFrom(":", ":  ", " : ", "")), {
      minLength: 2,
      maxLength: 2,
    }),
    sizes: fc.array(fc.nat(120), { minLength: 2, maxLength: 2 }),
    missing: oftenOf(-1, fc.nat(4)),
  })
  .map(({ names, values, separators, sizes, missing }) =>
    [0, 1].map((at) => {
      const lines = names
        .filter((_, index) => at === 0 || index !== missing)
        .map((name, index) => {
          const value = name === "Content-Length" ? String(sizes[at]) : (values[at * 5 + index] ?? "");
          return `${name}${separators[at] ?? ""}${value}\r\n`;
        });
      const head = `POST ${LANE_PATHS[0]} HTTP/1.1\r\nHost: svc\r\n${lines.join("")}\r\n`;
      return Buffer.from(head + "x".repeat(sizes[at] ?? 0), "latin1");
    }),
  );

it("a connection reads a request after another one as if it were its first", () => {
  const seen = { matched: 0, refused: 0 };
  const read = (requests: LaneRequests, bytes: Buffer) => {
    const { head, body } = requests.read(bytes) ?? {};
    return head && { ...head, headers: head.headers, steady: head.steady?.text, socket: null, body };
  };
  fc.assert(
    fc.property(pair, ([first = NOTHING, second = NOTHING]) => {
      const connection = new LaneRequests(LANE_PATHS, new Socket());
      const before = connection.read(first);
      const found = read(connection, second);
      expect(found).toEqual(read(new LaneRequests(LANE_PATHS, new Socket()), second));
      expect(read(connection, first)).toEqual(read(new LaneRequests(LANE_PATHS, new Socket()), first));
      const again = connection.read(second);
      if (found === undefined) seen.refused += 1;
      else if (again?.head.steady === before?.head.steady) seen.matched += 1;
    }),
    { numRuns: runs(2_000, 20_000) },
  );
  expect(Math.min(seen.matched, seen.refused)).toBeGreaterThan(100);
});
