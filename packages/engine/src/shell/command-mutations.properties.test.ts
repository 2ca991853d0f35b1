import type { JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";

/** Commands that the rules forbid, as lists of words. */
const DANGEROUS = [
  ["git", "push"],
  ["git", "push", "--force"],
  ["rm", "-rf", "x"],
  ["rm", "-r", "x", "--force"],
  ["terraform", "destroy", "-auto-approve"],
] as const;

const FORBIDDEN = [
  ["git", "push"],
  ["rm", "--recursive", "--force"],
  ["terraform", "destroy"],
];

type Change = (text: string) => string;

/** Ways to write a word that a shell reads as the same word. */
const quoted: readonly Change[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `\\${word}`,
  (word) =>
    word
      .split("")
      .map((letter) => `"${letter}"`)
      .join(""),
];

/** Ways to run a command line as part of another one. */
const wrapped: readonly Change[] = [
  (text) => ` ${text} `,
  (text) => `\t${text}\n`,
  (text) => `ls; ${text}`,
  (text) => `ls\n${text}`,
  (text) => `ls && ${text} || true`,
  (text) => `ls | ${text}`,
  (text) => `${text} &`,
  (text) => `(${text})`,
  (text) => `{ ${text}; }`,
  (text) => `! ${text}`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for x in a; do ${text}; done`,
  (text) => `while ${text}; do ls; done`,
  (text) => `A=1 ${text}`,
  (text) => `env -i A=1 ${text}`,
  (text) => `timeout -k 1 5 ${text}`,
  (text) => `nice -n 5 ${text}`,
  (text) => `nohup ${text}`,
  (text) => `sudo -u root ${text}`,
  (text) => `command ${text}`,
  (text) => `exec ${text}`,
  (text) => `time ${text}`,
  (text) => `xargs ${text}`,
  (text) => `find . -exec ${text} {} +`,
  (text) => `find . -exec ${text} \\;`,
  (text) => `sh -c '${text.replaceAll("'", "'\\''")}'`,
  (text) => `bash -ec "${text.replaceAll(/[\\"$`]/g, "\\$&")}"`,
  (text) => `eval ${text}`,
  (text) => `echo $(${text})`,
  (text) => `echo \`${text}\``,
  (text) => `${text} > x`,
  (text) => `2>&1 ${text}`,
  (text) => `ssh host ${text}`,
  (text) => `unknown=1; ${text} # now`,
  (text) => `cat <<X\n${text}\nX`,
  (text) => text.replace(" ", " \\\n "),
  (text) => `f() { ${text}; }; f`,
];

/** Ways to send a text that some tool reads as a command. */
const sent: readonly ((text: string) => JsonValue)[] = [
  (text) => text,
  (text) => [text],
  (text) => ["other", text],
  (text) => ({ command: text }),
  (text) => [[text]],
  (text) => ["sh", "-c", text],
  (text) => JSON.stringify(text),
];

const words = fc
  .tuple(fc.constantFrom(...DANGEROUS), fc.infiniteStream(fc.constantFrom(...quoted)))
  .map(([command, changes]) => command.map((word) => (changes.next().value ?? String)(word)).join(" "));
const commands = fc
  .tuple(words, fc.array(fc.constantFrom(...wrapped), { maxLength: 5 }))
  .map(([text, changes]) => changes.reduce((seen, change) => change(seen), text));

const tools = { allowed: ["*"] };
const ruleOf = (operator: string, value: JsonValue, action: string): JsonValue => ({
  id: "r",
  match: { condition: { field: "args.x", operator, value } },
  action,
});

describe("a dangerous command", () => {
  const denying = compiled({ id: "p", tools, rules: [ruleOf("runs", FORBIDDEN, "deny")] });
  const asking = compiled({ id: "p", tools, rules: [ruleOf("runs", FORBIDDEN, "require_approval")] });
  const harmless = [["ls"], ["echo"], ["cat"], ["find"], ["true"], ["git", "status"], ["sudo"], ["xargs"]];
  const listing = compiled({ id: "p", rules: [ruleOf("runs_only", harmless, "allow")] });

  // proves POL-92
  it("is denied, pauses, and is not allowed, however it is written, wrapped and sent", () => {
    fc.assert(
      fc.property(commands, fc.constantFrom(...sent), (text, send) => {
        const call = callOf("t", { x: send(text) });
        const decisions = [denying, asking, listing].map((policy) => policy.evaluate(call).decision);
        expect([text, ...decisions]).toEqual([text, "deny", "pause", "deny"]);
      }),
      { numRuns: runs(3_000, 30_000) },
    );
  });

  // proves POL-92
  it("is not allowed with any characters put into it", () => {
    const parts = fc.array(fc.constantFrom(..."'\"\\$`;&|(){}<>#!*?[]~=% \n\t\rab-\u00a0\0".split("")), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.constantFrom("ls", "git status"), parts, words, parts, (first, before, text, after) => {
        const x = `${first}${before.join("")};${text}${after.join("")}`;
        // A quote or a comment may make data of the command.
        if (/['"\\#]/.test(before.join(""))) return;
        expect([x, listing.evaluate(callOf("t", { x })).decision]).toEqual([x, "deny"]);
      }),
      { numRuns: runs(3_000, 30_000) },
    );
  });
});
