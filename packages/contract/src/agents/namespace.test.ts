import { describe, expect, it } from "vitest";
import { parseNamespaceCreation, parseNamespaceUpdate } from "./namespace.ts";

describe("a new namespace", () => {
  it.each([
    [{ id: "prod" }, { id: "prod", name: "prod", description: null }],
    [{ name: "prod" }, { id: "prod", name: "prod", description: null }],
    [
      { id: "prod", name: "Production EU", description: "live" },
      { id: "prod", name: "Production EU", description: "live" },
    ],
    [
      { id: "prod", description: null },
      { id: "prod", name: "prod", description: null },
    ],
  ])("is taken from %j", (body, value) => {
    expect(parseNamespaceCreation(body)).toEqual({ ok: true, value });
  });

  it.each([
    ["/id", "printable text", {}],
    ["/id", "the name is not such an id", { name: "Production/../EU" }],
    ["/id", "the name is not such an id", { name: "Production\tEU" }],
    ["/id", "printable text", { id: "a b " }],
    ["/id", "printable text", { id: "a//b" }],
    ["/id", "printable text", { id: "100%41" }],
    ["/id", "printable text", { id: "a".repeat(257) }],
    ["/name", "not only white space", { id: "a", name: "  " }],
    ["/name", "1 to 1000", { id: "a", name: "x".repeat(1_001) }],
    ["/name", "1 to 1000", { id: "a", name: null }],
    ["/description", "at most 1000", { id: "a", description: 7 }],
    ["/description", "at most 1000", { id: "a", description: "x".repeat(1_001) }],
    ["/created_by", "no field", { id: "a", created_by: "me" }],
    ["", "an object", []],
  ])("is refused at %s, expecting %s: %j", (pointer, expected, body) => {
    const entry = { pointer, expected: expect.stringContaining(expected) };
    expect(parseNamespaceCreation(body)).toMatchObject({ ok: false, errors: [entry] });
  });
});

describe("a change of a namespace", () => {
  it.each([{ name: "a" }, { description: "b" }, { description: null }, { name: "a", description: "b" }])(
    "is %j",
    (body) => {
      expect(parseNamespaceUpdate(body)).toEqual({ ok: true, value: body });
    },
  );

  it.each([
    ["", "name, description or both", undefined, {}],
    ["/id", "no field", "an id never changes; create another namespace", { id: "b" }],
    ["/descripton", "no field", "did you mean description?", { descripton: "b" }],
  ])("is refused at %j, expecting %s (%s): %j", (pointer, expected, fix, body) => {
    const entry = {
      pointer,
      expected: expect.stringContaining(expected),
      ...(fix === undefined ? {} : { fix }),
    };
    expect(parseNamespaceUpdate(body)).toMatchObject({
      ok: false,
      errors: expect.arrayContaining([expect.objectContaining(entry)]),
    });
  });
});
