import { expect, it } from "vitest";
import { parsePolicyPatch } from "./policy-labels.ts";

it.each([
  [{ enabled: false }, "/enabled", "send POST policies/<id>/disable"],
  [{ archived: true }, "/archived", "send POST policies/<id>/archive"],
  [{ label: {} }, "/label", "did you mean labels?"],
  [{ name: "x" }, "/name", "the fields are labels, why"],
])("%j gets the way to what was meant", (body, pointer, fix) => {
  const parsed = parsePolicyPatch(body);
  const entries = parsed.ok ? [] : parsed.errors;
  expect(entries.find((entry) => entry.pointer === pointer)?.fix).toBe(fix);
});
