import { expect, it } from "vitest";
import { faultFields } from "./fault-fields.ts";

// proves OPS-18
it.each([
  [new Error("connect ECONNREFUSED"), "connect ECONNREFUSED"],
  [new AggregateError([new Error("one"), new Error("two")]), "Error: one; Error: two"],
  [new Error("", { cause: new Error("x") }), "Error"],
  ["a text", "a text"],
])("a fault of the world (%s) has a cause and no stack", (error, cause) => {
  expect(faultFields(error)).toEqual({ cause });
});

it("a defect keeps its stack", () => {
  const error = new TypeError("undefined is not a function");
  expect(faultFields(error)).toEqual({ err: error });
});
