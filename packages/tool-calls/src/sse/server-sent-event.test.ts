import fc from "fast-check";
import { expect, it } from "vitest";
import { eventData, eventType, fieldOf, linesOf, readEvent, renderEvent } from "./server-sent-event.ts";

it.each([
  ["a\nb\r\nc\rd\n", ["a", "b", "c", "d", ""]],
  ["a\n\rb", ["a", "", "b"]],
  ["a\u2028b\u0085c", ["a\u2028b\u0085c"]],
])("splits %j into %j", (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

it.each([
  ["data: a", "data"],
  ["data", "data"],
  [" data: a", " data"],
  [": a comment", ""],
])("the field of %j is %j", (line, field) => {
  expect(fieldOf(line)).toBe(field);
});

it.each([
  [["data: a", "data:b", "data", "data:  c"], { name: null, dataLines: ["a", "b", "", " c"], hasId: false }],
  [["event: x", "event: y"], { name: "y", dataLines: [], hasId: false }],
  [["event", "id"], { name: "", dataLines: [], hasId: true }],
  [[": data: a", "retry: 1", "Data: a"], { name: null, dataLines: [], hasId: false }],
])("reads %j", (lines, event) => {
  expect(readEvent(lines)).toEqual(event);
});

it("an event without a name, or with an empty one, is a message", () => {
  expect([null, "", "x"].map((name) => eventType({ name }))).toEqual(["message", "message", "x"]);
});

it("reads back what it writes", () => {
  const line = fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(fc.option(line), line, (name, data) => {
      const lines = linesOf(renderEvent(name, data));
      expect(lines.slice(-2)).toEqual(["", ""]);
      const event = readEvent(lines.slice(0, -2));
      expect([event.name, eventData(event)]).toEqual([name, data]);
    }),
  );
});
