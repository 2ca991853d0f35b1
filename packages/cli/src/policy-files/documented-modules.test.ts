// long: it compiles Open Policy Agent
import { readFileSync } from "node:fs";
import { MODULE_CODES } from "@svc/engine/diagnostic-codes";
import { describeAnswer, parseDocumentedCall } from "@svc/engine/testing/documented-calls";
import { askModules, withModules } from "@svc/policy-analysis/ask-modules";
import { expect, it } from "vitest";
import { checkPolicyFile } from "../validate/validate.ts";
import { compilePolicyFile } from "./compile-policy-file.ts";

const PAGE = readFileSync(new URL("../../../../docs/POLICY.md", import.meta.url), "utf8");

/** A policy of the page, with the calls after it. */
const EXAMPLE = /^```yaml\n(.*?)^```\n\n```calls\n(.*?)^```\n/gms;

const examples = [...PAGE.matchAll(EXAMPLE)]
  .filter(([, source = ""]) => /^rego:\n/m.test(source))
  .map(([, source = "", calls = ""]) => {
    const id = /^id: (.*)$/m.exec(source)?.[1] ?? "";
    const file = { name: `${id}.yaml`, source, mediaType: "application/yaml" } as const;
    return { file, calls: calls.split("\n").filter((line) => line !== "") };
  });

it("the page has six modules", () => {
  expect(examples.map(({ file }) => file.name)).toHaveLength(6);
});

it.each(examples)("$file.name of the page has no finding, and decides its calls", async ({ file, calls }) => {
  expect(await checkPolicyFile(file)).toMatchObject({ valid: true, diagnostics: [] });
  const { policy } = (await compilePolicyFile(file)).explaining;
  const decisions = new Set<string>();
  for (const { text, call, expectation } of calls.map(parseDocumentedCall)) {
    const answer = withModules(policy, policy.evaluate(call), await askModules(policy, call));
    expect(`${text} -> ${describeAnswer(answer)}`).toBe(`${text} -> ${expectation}`);
    // A module that fails denies too, and that is not what an example shows.
    expect([text, answer.rego?.kind]).toEqual([text, "messages"]);
    decisions.add(answer.decision);
  }
  expect([decisions.has("allow"), decisions.has("deny")]).toEqual([true, true]);
});

it.each(Object.keys(MODULE_CODES))("the page explains %s", (code) => {
  expect(PAGE).toContain(`\`${code}\``);
});
