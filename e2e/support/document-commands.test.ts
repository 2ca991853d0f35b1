import { expect, it } from "vitest";
import { showsAnswer } from "./document-commands.ts";

it.each([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: "gw_..." }, { a: "gw_1" }, true],
  [{ a: "gw_..." }, { a: "ks_1" }, false],
  [{ a: [1] }, { a: [1, 2] }, false],
  [{ a: null }, {}, false],
  [{ a: { b: 1 } }, { a: 1 }, false],
])("a page shows %j, the answer is %j: %s", (shown, found, same) => {
  expect(showsAnswer(shown, found)).toBe(same);
});
