import { describe, expect, it } from "vitest";
import { formatDecisionId, parseDecisionId } from "./decision-id.ts";

describe("decision ids", () => {
  it.each([
    { logId: "gw-1", seq: 0 },
    { logId: "gw.eu.1", seq: 42 },
    { logId: "g", seq: Number.MAX_SAFE_INTEGER },
  ])("name the place of a row: %j", (position) => {
    expect(parseDecisionId(formatDecisionId(position))).toEqual(position);
  });

  it.each([
    "",
    "gw-1",
    "gw-1.",
    ".1",
    "gw-1.01",
    "gw-1.-1",
    "gw-1.1e3",
    "gw-1.9007199254740992",
    "gw-1.1 ",
    "gw-1.1\n",
    " gw-1.1",
    "gw\u0000.1",
    "g\u0175-1.1",
    "..1",
    "-gw.1",
    "gw-1.\u0661",
    "gw-1.0x1",
    "gw-1.00",
    "gw-1.+1",
    "%2e.1",
    "' OR 1=1 --.1",
    `${"x".repeat(129)}.1`,
  ])("name nothing: %j", (text) => {
    expect(parseDecisionId(text)).toBeNull();
  });
});
