import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { blankMessages } from "./blank-messages.ts";

// proves REGO-06
it.each(['""', '"  "', '"\\u200b"', '"\u200b"', '"\\n\\t"', "``", "` \n `", '"\u2800"'])(
  "the message %s is blank",
  (message) => {
    const problem = { severity: "error", code: "rego/rule-shape", row: 3, column: 15, found: message };
    expect(blankMessages({ text: `package p\n\ndeny contains ${message} if true\n` })).toMatchObject([
      problem,
    ]);
  },
);

it.each([
  'deny contains "no" if true',
  'deny contains "\\u200bno" if true',
  'deny contains "\\\\n" if true',
  'x contains "" if true',
  '# deny contains "" if true',
  'x := `\ndeny contains "" if true`',
  'deny contains sprintf("%s", [input.tool]) if true',
])("nothing is said about %j", (rule) => {
  expect(blankMessages({ text: `package p\n${rule}\n` })).toEqual([]);
});

interface Unseen {
  readonly description: string;
  readonly text: string;
  readonly seen: boolean;
}

it.each(loadVectors<Unseen>("unseen"))("a message of $description alone: $seen", ({ text, seen }) => {
  expect(blankMessages({ text: `package p\ndeny contains "${text}" if true\n` })).toHaveLength(seen ? 0 : 1);
});
