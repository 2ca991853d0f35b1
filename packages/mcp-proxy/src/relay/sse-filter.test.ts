import { runs } from "@svc/text/testing/runs";
import { renderEvent } from "@svc/tool-calls/server-sent-event";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_EVENT_BYTES } from "../limits.ts";
import { type EventRuling, type FilteredEvent, SseFilter } from "./sse-filter.ts";

type Judge = (event: FilteredEvent) => EventRuling;

/** Of one core for a megabyte; looking at every byte once per line would take minutes. */
const MOST_MICROSECONDS = 10_000_000;

function filter(chunks: readonly Buffer[], judge: Judge = () => "pass") {
  const events: FilteredEvent[] = [];
  const sieve = new SseFilter((event) => {
    events.push(event);
    return judge(event);
  });
  const passed = chunks.flatMap((chunk) => sieve.push(chunk));
  return { events, passed: Buffer.concat(passed).toString("utf8") };
}

const filterText = (text: string, judge?: Judge) => filter([Buffer.from(text, "utf8")], judge);
const dropBad: Judge = ({ data }) => (data?.includes("bad") === true ? "drop" : "pass");

describe("SseFilter", () => {
  it.each<[string, readonly FilteredEvent[]]>([
    ["data: a\n\n", [{ type: "message", data: "a", hasId: false }]],
    ["data:a\r\ndata: b\r\n\r\n", [{ type: "message", data: "a\nb", hasId: false }]],
    ["event: endpoint\rdata: /x\r\r", [{ type: "endpoint", data: "/x", hasId: false }]],
    ["\uFEFFid: 1\ndata\n\n", [{ type: "message", data: "", hasId: true }]],
    ["\uFEFF\ndata: a\n\n", [{ type: "message", data: "a", hasId: false }]],
    ["id: 1\n\n", [{ type: "message", data: "", hasId: true }]],
    [": comment\n\n", []],
    ["event: x\n\ndata: y\n\n", [{ type: "message", data: "y", hasId: false }]],
    ["data: a\n: comment\ndata: b\n\n", [{ type: "message", data: "a\nb", hasId: false }]],
  ])("reads %j and passes it on unchanged", (text, wanted) => {
    expect(filterText(text)).toEqual({ events: wanted, passed: text });
  });

  it.each([
    ["data: a", ""],
    ["data: a\n", ""],
    [": c\ndata: a", ": c\n"],
    ["data: a\n\ndata: b\n", "data: a\n\n"],
    [":\r\n", ":\r\n"],
    ["retry: 1\n\n", "retry: 1\n\n"],
  ])("of %j passes on %j: an event that is not whole does not pass", (text, passed) => {
    expect(filterText(text).passed).toBe(passed);
  });

  it.each([
    ["data: bad\n\ndata: a\n\n", "data: a\n\n"],
    ["id: 1\r\ndata: bad\r\n\r\ndata: a\r\n\r\n", "data: a\r\n\r\n"],
    ["data: a\n\nevent: x\ndata: b\ndata: bad\n\n: c\n", "data: a\n\n: c\n"],
  ])("M9: of %j passes on %j", (text, passed) => {
    expect(filterText(text, dropBad).passed).toBe(passed);
  });

  it("replaces the data of an event and keeps its id", () => {
    const text = "id: 7\ndata: a\ndata: b\n\n";
    const { passed } = filterText(text, () => ({ data: '{"x":1}' }));
    expect(filterText(passed).events).toEqual([{ type: "message", data: '{"x":1}', hasId: true }]);
    expect(passed).toContain("id: 7\n");
  });

  it("finds and passes on the same events, however the bytes are cut", () => {
    const piece = fc.constantFrom(
      "data: ä\u{1F600}",
      "data: bad",
      "id: 7",
      "event: e",
      ": c",
      "data",
      "\n",
      "\r\n",
      "\r",
      "\n\n",
    );
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), cuts, (pieces, at) => {
        const bytes = Buffer.from(pieces.join(""), "utf8");
        const places = [...at.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const [cut, whole] = [filter(chunks, dropBad), filter([bytes], dropBad)];
        expect(cut.events).toEqual(whole.events);
        expect(cut.passed).toBe(whole.passed);
        // What passed holds the events that may, and no other.
        const good = whole.events.filter(({ data }) => data?.includes("bad") !== true);
        expect(filterText(whole.passed).events).toEqual(good);
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });

  it.each(["\r", "\n", "\r\n", ":\r", ":\n\r"])(
    "M16: a flood of %j takes time in proportion to its length",
    (text) => {
      const flood = Buffer.from(text.repeat(Math.ceil(1_000_000 / text.length)));
      const before = process.cpuUsage();
      const { passed } = filter([flood]);
      const { user } = process.cpuUsage(before);
      expect(passed.length).toBe(flood.length);
      expect(user).toBeLessThan(MOST_MICROSECONDS);
    },
  );

  it("M16: an event in pieces of one byte passes whole", () => {
    const bytes = Buffer.from(`data: ${"x".repeat(5_000)}\n\n`);
    const { events, passed } = filter([...bytes].map((byte) => Buffer.of(byte)));
    expect([events.length, passed]).toEqual([1, bytes.toString()]);
  });

  it("passes nothing from an event on that is too large", () => {
    const sieve = new SseFilter(() => "pass");
    expect(sieve.push(Buffer.alloc(MAX_EVENT_BYTES, "x"))).toEqual([]);
    expect(sieve.isOverfull).toBe(false);
    sieve.push(Buffer.from("xx"));
    expect(sieve.isOverfull).toBe(true);
    expect(sieve.push(Buffer.from("\n\ndata: a\n\n"))).toEqual([]);
  });

  it("reads an event that the proxy wrote", () => {
    const wanted = [{ type: "message", data: '{"id":1}', hasId: false }];
    expect(filterText(renderEvent("message", '{"id":1}')).events).toEqual(wanted);
  });
});
