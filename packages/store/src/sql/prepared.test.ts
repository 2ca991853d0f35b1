import { expect, it } from "vitest";
import { preparedName } from "./prepared.ts";

it.each([
  ["/* prepared: svc-view */ SELECT 1", "svc-view"],
  ["\n  /* prepared: svc-view */\n  SELECT 1", "svc-view"],
  ["SELECT 1", null],
  ["SELECT '/* prepared: svc-view */'", null],
])("takes the name at the beginning of a statement alone: %j", (text, name) => {
  expect(preparedName(text)).toBe(name);
});
