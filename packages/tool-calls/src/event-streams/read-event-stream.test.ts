import { describe, expect, it } from "vitest";
import { type DispatchedEvent, readEventStream } from "./read-event-stream.ts";

const MAX_BYTES = 100;

describe("readEventStream", () => {
  const readable: readonly (readonly [name: string, text: string, events: readonly DispatchedEvent[]])[] = [
    ["one event", "data: a\n\n", [{ name: null, data: "a" }]],
    ["no space behind the colon", "data:a\n\n", [{ name: null, data: "a" }]],
    ["one space is taken away", "data:  a\n\n", [{ name: null, data: " a" }]],
    ["several lines of data", "data: a\ndata\ndata: b\n\n", [{ name: null, data: "a\n\nb" }]],
    ["a name", "event: x\ndata: a\n\n", [{ name: "x", data: "a" }]],
    ["the last of two names", "event: x\nevent: y\ndata: a\n\n", [{ name: "y", data: "a" }]],
    [
      "a name holds for one event",
      "event: x\ndata: a\n\ndata: b\n\n",
      [
        { name: "x", data: "a" },
        { name: null, data: "b" },
      ],
    ],
    ["a name without data is not an event", "event: x\n\ndata: a\n\n", [{ name: null, data: "a" }]],
    [
      "comments, ids and times are left out",
      ": hi\nid: 1\nretry: 2\ndata: a\n\n: bye\n",
      [{ name: null, data: "a" }],
    ],
    ["CR LF", "data: a\r\ndata: b\r\n\r\n", [{ name: null, data: "a\nb" }]],
    ["CR", "data: a\rdata: b\r\r", [{ name: null, data: "a\nb" }]],
    [
      "all line ends at once",
      "data: a\n\rdata: b\r\n\n",
      [
        { name: null, data: "a" },
        { name: null, data: "b" },
      ],
    ],
    [
      "other separators are data",
      "data: a\u2028data: b\u0085\n\n",
      [{ name: null, data: "a\u2028data: b\u0085" }],
    ],
    ["nothing", "", []],
  ];
  it.each(readable)("reads %s", (_, text, events) => {
    expect(readEventStream(Buffer.from(text), MAX_BYTES)).toEqual({ ok: true, value: events });
  });

  const refused: readonly {
    readonly name: string;
    readonly body: string | Buffer;
  }[] = [
    { name: "an event without its end", body: "data: a\n\ndata: b\n" },
    { name: "a line without its end", body: "data: a\n\ndata: b" },
    { name: "a comment without its end", body: "data: a\n\n: b" },
    { name: "a name without its end", body: "data: a\n\nevent: b\n" },
    { name: "an unknown field", body: 'data: a\n{"a":1}\n\n' },
    { name: "a field in other case", body: "Data: a\n\n" },
    { name: "a space before a field", body: " data: a\n\n" },
    { name: "a byte order mark", body: "\uFEFFdata: a\n\n" },
    { name: "bytes that are not UTF-8", body: Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]) },
    { name: "too many bytes", body: `data: ${"a".repeat(MAX_BYTES)}\n\n` },
  ];
  it.each(refused)("refuses $name", ({ body }) => {
    expect(readEventStream(typeof body === "string" ? Buffer.from(body) : body, MAX_BYTES)).toMatchObject({
      ok: false,
    });
  });
});
