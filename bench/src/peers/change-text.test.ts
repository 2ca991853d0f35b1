import { expect, test } from "vitest";
import { changeText } from "./change-text.ts";

test("changes are made one after another", () => {
  expect(
    changeText("port 80; on;", [
      ["80", "81"],
      [/ on;/, ""],
    ]),
  ).toBe("port 81;");
});

test("a text that is not there is an error: another configuration would be measured", () => {
  expect(() => changeText("port 80;", [["90", "91"]])).toThrow("lacks 90");
});
