import { readFileSync } from "node:fs";
import type { DenyVerdict, PauseVerdict } from "@svc/contract/verdict";
import { expect, it } from "vitest";
import { refusalText } from "./render-answer.ts";

interface TextVector {
  readonly description: string;
  readonly tool: string;
  readonly deny?: object;
  readonly pause?: object;
  readonly text: string;
}

/** The texts of the client libraries. */
const cases = ["denials", "pauses"].flatMap((name) => {
  const file = new URL(`../../../../contract/vectors/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly TextVector[] }).cases;
});

// proves CODE-02
it.each(cases)("$description: the model reads what it reads from a client library", (vector) => {
  const { tool, deny, pause, text } = vector;
  const decision = deny === undefined ? "pause" : "deny";
  const verdict = { decision, args_constrained: false, ...deny, ...pause } as DenyVerdict | PauseVerdict;
  expect(refusalText(tool, verdict)).toBe(text);
});
