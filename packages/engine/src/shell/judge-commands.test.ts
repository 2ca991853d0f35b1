import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { commandPattern } from "./command-pattern.ts";
import { describeSomeCommands } from "./describe-commands.ts";
import { judgeRuns, judgeRunsOnly } from "./judge-commands.ts";

interface CommandCases {
  readonly operator: "runs" | "runs_only";
  readonly value: readonly (readonly string[])[];
  readonly redirect?: "allow";
  readonly variables?: readonly string[];
  readonly options?: "listed";
  readonly holds?: readonly JsonValue[];
  readonly fails?: readonly JsonValue[];
  readonly unsure?: readonly JsonValue[];
}

const groups = dataFile<CommandCases[]>("commands.yaml");
const TRUTHS = ["holds", "fails", "unsure"] as const;
const cases = groups.flatMap((group) =>
  TRUTHS.flatMap((truth) => (group[truth] ?? []).map((found) => ({ ...group, truth, found }))),
);

describe("runs and runs_only", () => {
  // proves POL-90
  it.each(cases)(
    "$operator $value: $found $truth",
    ({ operator, value, redirect, variables, options, found, truth }) => {
      const judge = operator === "runs" ? judgeRuns : judgeRunsOnly;
      const test = {
        patterns: value.map(commandPattern),
        redirects: redirect === "allow",
        variables: variables ?? [],
        otherOptions: options === "listed" ? "none" : "unless_named",
      } as const;
      expect(judge(found, test)).toBe(truth);
    },
  );
});

describe("the reason of a doubt about runs", () => {
  const test = {
    patterns: [commandPattern(["rm"])],
    redirects: true,
    variables: [],
    otherOptions: "none",
  } as const;

  // proves POL-90
  it("names awk and what makes its program plain", () => {
    const doubt = describeSomeCommands("ls | awk '{print > $1}'", test)?.doubt;
    expect(doubt).toBe(
      "a program of awk that may run others (it can be judged without system, getline, @, | and >)",
    );
    expect(describeSomeCommands("ls | awk '{print $1}'", test)?.doubt).toBeNull();
    expect(describeSomeCommands("ssh host ls", test)?.doubt).toContain("may run others");
  });
});
