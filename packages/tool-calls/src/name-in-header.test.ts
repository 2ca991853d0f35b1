import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { headerOfName, nameInHeader } from "./name-in-header.ts";

// proves NAME-07
it.each(loadVectors<{ readonly text: string; readonly valid: boolean }>("names"))(
  "the name $text comes back out of a header: $valid",
  ({ text, valid }) => {
    if (!valid && !text.isWellFormed()) return;
    const header = headerOfName(text);
    expect(header).toMatch(/^[\x20-\x2b\x2d-\x7e]*$/);
    const read = nameInHeader("x-svc-agent-id", header);
    expect(read.ok ? read.value : null).toBe(valid ? text : null);
  },
);

// proves NAME-03
it.each(loadVectors<{ readonly text: string }>("spellings"))("$text passes a header", ({ text }) => {
  expect(nameInHeader("x-svc-tool", headerOfName(text))).toEqual({ ok: true, value: text });
});

it.each([
  ["payments.refund", "payments.refund"],
  ["Senior Researcher", "Senior Researcher"],
  ["100%25", "100%"],
  ["a%2541", "a%41"],
  ["caf%C3%A9", "caf\u00e9"],
  ["caf%c3%a9", "caf\u00e9"],
  ["%41", "A"],
  ["a+b", "a+b"],
])("%s is %s", (header, name) => {
  expect(nameInHeader("h", header)).toEqual({ ok: true, value: name });
});

// proves NAME-08
it.each([
  ["", "nothing"],
  ["payments.refund, orders.read", "a comma"],
  ["caf\u00e9", "other bytes"],
  ["caf\u00c3\u00a9", "other bytes"],
  ["a\tb", "other bytes"],
  ["100%", "percent sign"],
  ["%4", "percent sign"],
  ["%zz", "percent sign"],
  ["%C3", "percent sign"],
  ["%FF", "percent sign"],
  ["%ED%A0%80", "percent sign"],
  ["%C0%AF", "percent sign"],
  ["a%00", "U+0000"],
  ["a%20", "ends with a space"],
  ["a%2A", "U+002A"],
  ["p%D0%B0y", "Cyrillic"],
])("%s is refused: %s", (header, why) => {
  const read = nameInHeader("x-svc-tool", header);
  expect(read.ok ? "" : read.deny.reason).toContain(why);
  expect(read.ok ? "" : read.deny.reason).toContain("x-svc-tool: expected");
});
