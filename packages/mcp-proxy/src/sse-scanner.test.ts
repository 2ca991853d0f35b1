import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventOfOurs, type ServerSentEvent, SseScanner, type StreamPlace } from "./sse-scanner.ts";

function scan(chunks: readonly Buffer[]): { events: ServerSentEvent[]; place: StreamPlace } {
  const events: ServerSentEvent[] = [];
  const scanner = new SseScanner((event) => events.push(event));
  for (const chunk of chunks) scanner.push(chunk);
  return { events, place: scanner.place };
}

const scanText = (text: string) => scan([Buffer.from(text, "utf8")]);

describe("SseScanner", () => {
  it.each<[string, readonly ServerSentEvent[]]>([
    ["data: a\n\n", [{ type: "message", data: "a", hasId: false }]],
    ["data:a\r\ndata: b\r\n\r\n", [{ type: "message", data: "a\nb", hasId: false }]],
    ["event: endpoint\rdata: /x\r\r", [{ type: "endpoint", data: "/x", hasId: false }]],
    ["\uFEFFid: 1\ndata\n\n", [{ type: "message", data: "", hasId: true }]],
    ["id: 1\n\n", [{ type: "message", data: "", hasId: true }]],
    [": comment\n\n", []],
    ["event: x\n\ndata: y\n\n", [{ type: "message", data: "y", hasId: false }]],
    ["data: a", []],
    ["data: a\n", []],
  ])("%j", (text, wanted) => {
    expect(scanText(text).events).toEqual(wanted);
  });

  it("finds the same events however the bytes are cut", () => {
    const piece = fc.constantFrom(
      "data: ä\u{1F600}",
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
        expect(scan(chunks)).toEqual(scan([bytes]));
      }),
      { numRuns: 1_000 },
    );
  });

  it("an event of ours is read behind whatever half an event came before it", () => {
    const half = fc.constantFrom(
      "data: {",
      "da",
      "event: message\ndata: 1",
      "id: 3\n",
      "data: x\n",
      ": c",
      "",
      "retry",
    );
    fc.assert(
      fc.property(half, (text) => {
        const { place } = scanText(text);
        const { events } = scanText(text + eventOfOurs("message", '{"id":1}', place));
        const messages = events.filter(({ type, data }) => type === "message" && data !== "");
        expect(messages).toEqual([{ type: "message", data: '{"id":1}', hasId: false }]);
      }),
    );
  });
});
