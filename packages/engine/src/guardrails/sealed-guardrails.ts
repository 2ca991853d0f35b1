import type { JsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { jsonTree } from "../read/json-tree.ts";
import { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectList, expectMap, expectText } from "../validate/expect.ts";
import { expectInteger } from "../validate/numbers.ts";
import { PatternBudget } from "../validate/pattern-budget.ts";
import type { Guardrail } from "./guardrail.ts";
import { decidingPart } from "./read-guardrails.ts";
import { validateGuardrail } from "./validate-guardrail.ts";

/**
 * A document that holds the guardrails that it names, each in one version, is sealed: it says all that
 * decides calls. A gateway needs to know nothing else to compile it, and gets the same policy at any time.
 */

/** Where a sealed document holds its guardrails. Authors cannot write it. */
export const SEALED_KEY = "guardrails";

/** Most versions that a guardrail can have, as count. */
const MAX_VERSION = 1_000_000_000;

/** The document with its guardrails in it, as JSON. */
export function sealDocument(document: JsonObject, guardrails: readonly Guardrail[]): string {
  const sealed = guardrails.map(({ id, version, detectors, patterns, allow }) => ({
    id,
    version,
    ...(detectors.length === 0 ? {} : { detectors }),
    ...(patterns.length === 0 ? {} : { patterns }),
    ...(allow.length === 0 ? {} : { allow }),
  }));
  return JSON.stringify({ ...document, [SEALED_KEY]: sealed });
}

/** The guardrails in a sealed document; none when they cannot be read, and what names one is refused then. */
export function guardrailsOfSealed(sealed: string): readonly Guardrail[] {
  const json = parseStrictJsonText(sealed);
  const root = json.ok ? jsonTree(json.value) : null;
  const section = root?.kind === "map" ? root.entries.find(({ key }) => key === SEALED_KEY) : undefined;
  if (section === undefined) return [];
  const reporter = new Reporter("", null);
  const guardrails = sealedGuardrails(section.value, new PatternBudget(), reporter);
  return reporter.hasErrors ? [] : guardrails;
}

/** Types the guardrails of a sealed document. The result counts only while the reporter holds no error. */
export function sealedGuardrails(
  node: SourceNode,
  patterns: PatternBudget,
  reporter: Reporter,
): readonly Guardrail[] {
  const list = expectList(node, "a list of guardrails", reporter);
  return list?.items.flatMap((item) => sealedGuardrail(item, patterns, reporter) ?? []) ?? [];
}

/** What has no id or no version is left out, so that whatever names it is refused. */
function sealedGuardrail(node: SourceNode, patterns: PatternBudget, reporter: Reporter): Guardrail | null {
  const map = expectMap(node, "a guardrail", reporter);
  const valueOf = (name: string) => map?.entries.find(({ key }) => key === name)?.value;
  const [id, version] = [valueOf("id"), valueOf("version")];
  if (map === null || id === undefined || version === undefined) return null;
  const rest = { ...map, entries: map.entries.filter(({ key }) => key !== "id" && key !== "version") };
  const written = validateGuardrail(rest, patterns, reporter);
  const name = expectText(id, "an id", reporter);
  const number = expectInteger(version, { min: 0, max: MAX_VERSION }, reporter);
  return written === null || name === null || number === null ? null : decidingPart(name, number, written);
}
