import { describe, expect, it } from "vitest";
import { parseOptions } from "./options.ts";

const NAMES = ["engine", "json"];

describe("parseOptions", () => {
  it("runs everything when told nothing", () => {
    expect(parseOptions([], NAMES)).toMatchObject({ only: NAMES, rounds: 5, seconds: 5, output: "table" });
  });

  it("reads what it is told", () => {
    const args = ["--only", "json", "--rounds", "7", "--seconds", "2", "-o", "json", "--profile", "here"];
    const wanted = { only: ["json"], rounds: 7, seconds: 2, output: "json", profileFolder: "here" };
    expect(parseOptions(args, NAMES)).toMatchObject(wanted);
  });

  it.each([
    [["--only", "engin"], '--only: expected some of engine, json, found "engin"'],
    [["--rounds", "0"], "--rounds: expected 1 to 100"],
    [["--rounds", "101"], "--rounds: expected 1 to 100"],
    [["--seconds", "2.5"], "--seconds: expected 1 to 600"],
    [["--rows", "10"], "--rows: expected 1000 to 100000000"],
    [["-o", "xml"], "--output: expected table or json"],
    [["--gate"], "--gate"],
  ])("refuses %j", (args, message) => {
    expect(() => parseOptions(args, NAMES)).toThrow(message);
  });
});
