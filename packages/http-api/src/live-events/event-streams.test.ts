import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import type { EventPage, EventQuery, EventRow } from "@svc/store/ports/event-rows";
import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { overOf } from "../when-over.ts";
import { parseEventId } from "./event-id.ts";
import { EventStreams } from "./event-streams.ts";
import { CHUNK_BYTES, MAX_READERS, MAX_READERS_PER_KEY } from "./limits.ts";

/** Bytes of one event, so that a socket's buffers hold few of them. */
const EVENT_BYTES = 32_000;

/** More than the buffers of a connection hold, several times. */
const FLOOD = 600;

/** Events of one read: fewer than the ring holds. */
const BURST = 2;

/** A log that grows as the test says. */
class GrowingLog {
  readonly rows: EventRow[] = [];
  reads = 0;

  append(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const seq = this.rows.length;
      const data = JSON.stringify({ seq, text: "x".repeat(EVENT_BYTES) });
      const names = { agentId: "a", namespace: "n", decision: "allow" };
      this.rows.push({ logId: "gw_1", seq, org: "default", kind: "decision", ...names, data });
    }
  }

  readonly eventRows = async ({ from, limit }: EventQuery): Promise<EventPage> => {
    this.reads += 1;
    const start = from.get("gw_1") ?? 0;
    const events = from.has("gw_1") ? this.rows.slice(start, start + limit) : [];
    const next = new Map(from);
    if (from.has("gw_1")) next.set("gw_1", start + events.length);
    return { events, next, sizes: new Map([["gw_1", this.rows.length]]), unreadable: 0 };
  };
}

interface Heard {
  readonly name: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function* heardOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Heard> {
  let text = "";
  for await (const piece of body) {
    text += Buffer.from(piece).toString("latin1");
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const match = /^event: (.*)\nid: (.*)\ndata: (.*)$/.exec(frame);
      if (match !== null)
        yield { name: match[1] ?? "", id: match[2] ?? "", data: JSON.parse(match[3] ?? "") };
    }
  }
}

async function serveStreams() {
  const log = new GrowingLog();
  const registry = new Registry();
  const streams = new EventStreams({
    audit: log,
    clock: systemClock,
    timers: { after: (delayMs, run) => nodeTimers.after(delayMs / 10, run) },
    log: { warn: () => expect.unreachable("a read failed") },
    registry,
    random: () => 0,
    ringBytes: 8 * BURST * EVENT_BYTES,
  });
  let untakenMost = 0;
  const server = createServer((request, response) => {
    const text = request.headers["last-event-id"];
    const position = typeof text === "string" ? parseEventId(text) : null;
    const lastEventId = typeof text === "string" && position !== null ? { text, position } : null;
    const watch = setInterval(() => {
      untakenMost = Math.max(untakenMost, response.writableLength);
    }, 5);
    response.once("close", () => clearInterval(watch));
    const asked = { principal: adminPrincipal(), filter: {}, lastEventId, over: overOf(response) };
    void streams.open(asked).then((opened) => {
      if (opened.kind === "opened") opened.begin(response, {}, () => null);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    await streams.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const open = async (lastId?: string) => {
    const answer = await fetch(url, { headers: lastId === undefined ? {} : { "last-event-id": lastId } });
    return heardOf(answer.body ?? expect.unreachable("no body"));
  };
  /** The sum over all labels. */
  const metric = async (name: string) => {
    const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  return { log, open, streams, metric, untakenMost: () => untakenMost };
}

const seqOf = ({ data }: Heard): unknown => data["seq"];

// proves EVT-07, EVT-03
it("a reader that stands still holds one chunk, gets one gap, and can read what it missed", async () => {
  const { log, open, metric, untakenMost } = await serveStreams();
  const reader = await open();
  log.append(1);
  expect(seqOf((await reader.next()).value)).toBe(0);
  for (let at = 0; at < FLOOD; at += BURST) {
    log.append(BURST);
    const { reads } = log;
    await expect.poll(() => log.reads, { interval: 1 }).toBeGreaterThan(reads + 1);
  }
  await expect.poll(() => metric("svc_event_stream_readers")).toBe(1);
  const heard: Heard[] = [];
  for await (const one of reader) {
    heard.push(one);
    if (one.name === "gap") break;
  }
  const gap = heard.pop();
  const lastBefore = heard.at(-1);
  expect(gap?.data).toMatchObject({ reason: "overflow", after: lastBefore?.id, until: gap?.id });
  expect(heard.map(seqOf)).toEqual(heard.map((_, at) => at + 1));
  expect(untakenMost()).toBeLessThanOrEqual(2 * CHUNK_BYTES);
  expect(await metric("svc_event_stream_gaps_total")).toBe(1);
  expect(await metric("svc_event_stream_dropped_total")).toBeGreaterThan(0);

  const again = await open(lastBefore?.id);
  const missed: unknown[] = [];
  for await (const one of again) {
    expect(one.name).toBe("decision");
    missed.push(seqOf(one));
    if (seqOf(one) === log.rows.length - 1) break;
  }
  expect(missed).toEqual(log.rows.map(({ seq }) => seq).slice(heard.length + 1));
}, 30_000);

// proves EVT-10
it("an organization that has as many streams as are free gets no more, and another one does", async () => {
  const { streams, metric } = await serveStreams();
  const open = async (org: string, id: string) => {
    const answer = new AbortController();
    const principal = adminPrincipal({ org, id });
    const opened = await streams.open({ principal, filter: {}, lastEventId: null, over: answer.signal });
    return { opened, answer };
  };
  const first = await open("acme", "key-0");
  for (let n = 1; n < MAX_READERS / 2; n += 1)
    await open("acme", n < MAX_READERS_PER_KEY ? "key-0" : "key-1");
  const detail =
    "1500 event streams of this organization are already open on this server, which is as many as are left " +
    "for others; end one first";
  expect((await open("acme", "key-2")).opened).toMatchObject({
    problem: { code: "too_many_requests", detail },
  });
  expect((await open("acme", "key-0")).opened).toMatchObject({
    problem: { detail: "1000 event streams with this key are already open; end one first" },
  });
  expect((await open("other", "key-0")).opened.kind).toBe("opened");
  expect(await metric("svc_event_stream_refused_total")).toBe(2);
  first.answer.abort();
  first.answer.abort();
  expect((await open("other", "key-0")).opened.kind).toBe("opened");
});
