import { GUARDRAIL_ID } from "@svc/contract/guardrail";
import type { JsonObject } from "@svc/text/json-value";
import { didYouMean } from "@svc/text/nearest-name";
import { DETECTOR_NAMES } from "../detectors/detector.ts";
import type { NamedDetector } from "../detectors/named-detector.ts";
import { GUARDRAIL_PREFIX } from "../guardrails/guardrail.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectName, refuse } from "./expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "./expect-value.ts";
import { type NameList, namesSchema } from "./explain-name.ts";
import { DETECTOR_LIST } from "./name-lists.ts";
import { DETECTOR_NAME_SCHEMA, type KnownDetectors } from "./validate-detectors.ts";

const GUARDRAIL_NAME_SCHEMA: JsonObject = {
  type: "string",
  pattern: `^${GUARDRAIL_PREFIX.replace(".", "\\.")}${GUARDRAIL_ID.source.slice(1)}`,
};

export const DETECTORS_SCHEMA: JsonObject = oneOrMoreSchema({
  anyOf: [namesSchema(DETECTOR_LIST), DETECTOR_NAME_SCHEMA, GUARDRAIL_NAME_SCHEMA],
});

/** One or more detectors: built-in ones, those of the document, and guardrails. */
export function expectDetectors(
  node: SourceNode,
  known: KnownDetectors,
  reporter: Reporter,
): readonly NamedDetector[] | null {
  const names: NameList<string> = { ...DETECTOR_LIST, names: [...DETECTOR_LIST.names, ...known.keys()] };
  return expectOneOrMore(
    node,
    (item) => {
      if (namesUnknownGuardrail(item, known)) return refuseGuardrail(item, known, reporter);
      const name = expectName(item, names, reporter);
      return DETECTOR_NAMES.find((builtIn) => builtIn === name) ?? known.get(name ?? "") ?? null;
    },
    reporter,
  );
}

function namesUnknownGuardrail(node: SourceNode, known: KnownDetectors): boolean {
  if (node.kind !== "scalar" || typeof node.value !== "string") return false;
  return node.value.startsWith(GUARDRAIL_PREFIX) && !known.has(node.value);
}

/** An unknown guardrail is never left out: what it looks for would pass. */
function refuseGuardrail(node: SourceNode, known: KnownDetectors, reporter: Reporter): null {
  const text = node.kind === "scalar" ? String(node.value) : "";
  const id = text.slice(GUARDRAIL_PREFIX.length);
  const names = [...known.keys()].filter((name) => name.startsWith(GUARDRAIL_PREFIX));
  return refuse("policy/unknown-name", node, reporter, {
    message: `there is no guardrail ${quoteShort(id)}`,
    expected: names.length === 0 ? "a guardrail that exists" : `one of ${names.join(", ")}`,
    fix:
      didYouMean(text, names) ??
      "create it with svc-cli guardrails put; for files, write it into guardrails.yaml beside the policy",
  });
}
