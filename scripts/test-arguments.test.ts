import { expect, it } from "vitest";
import { parseTestArguments } from "./test-arguments.ts";

it.each([
  [[], false, "small", []],
  [[], true, "all", []],
  [["--peers", "none", "e2e/a.test.ts", "-t", "x"], true, "none", ["e2e/a.test.ts", "-t", "x"]],
  [["e2e/a.test.ts", "--peers=all"], false, "all", ["e2e/a.test.ts"]],
  [["--peers", "none", "--peers", "small"], false, "small", []],
])("reads %j, in CI: %s", (args, inCi, peers, forVitest) => {
  expect(parseTestArguments(args, inCi)).toEqual({ peers, forVitest });
});

it.each([
  [["--peers"], "found nothing"],
  [["--peers", "some"], 'found "some"'],
  [["--peers=--reporter"], 'found "--reporter"'],
])("refuses %j, saying what it expected", (args, found) => {
  expect(() => parseTestArguments(args, false)).toThrow(`--peers: expected none, small or all, ${found}`);
});
