import type { JsonObject } from "@svc/text/json-value";
import type { Mask, Redaction } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { textDefinition } from "./definitions.ts";
import {
  expectFilledList,
  expectMembers,
  expectName,
  expectText,
  type Members,
  type MissingKey,
  missingKey,
  refuse,
} from "./expect.ts";
import { DETECTORS_SCHEMA, expectDetectors } from "./expect-detectors.ts";
import { expectFieldPattern } from "./expect-field.ts";
import { namesSchema } from "./explain-name.ts";
import { exclusive, placeSchema, valuesSchema } from "./json-schema.ts";
import { AUDIT_LIST, MASK_LIST } from "./name-lists.ts";
import type { KnownDetectors } from "./validate-detectors.ts";

const MISSING_TARGET: MissingKey = {
  place: "redact",
  key: "fields or detectors",
  expected: "the arguments to redact, or what to look for in all of them",
  fix: "add fields: [args.card] with your arguments, or detectors: [pii.email]",
};

/** Most fields of one rewrite, as count. */
export const MAX_FIELDS = 100;

/** Longest replacement in UTF-16 units: it may be written once for every few characters of the arguments. */
const MAX_REPLACEMENT_LENGTH = 200;

/** Written where a rule names neither mask nor text. */
const DEFAULT_MASK: Mask = { kind: "marker" };

/** Schema of `validateRedaction`. */
export const REDACTION_SCHEMA: JsonObject = placeSchema(
  "redact",
  {
    fields: valuesSchema(textDefinition("field_pattern"), MAX_FIELDS),
    detectors: DETECTORS_SCHEMA,
    mask: namesSchema(MASK_LIST),
    with: { type: "string", maxLength: MAX_REPLACEMENT_LENGTH },
    audit: namesSchema(AUDIT_LIST),
  },
  { oneOf: [{ required: ["fields"] }, { required: ["detectors"] }], ...exclusive(["mask", "with"]) },
);

export function validateRedaction(
  node: SourceNode,
  own: KnownDetectors,
  reporter: Reporter,
): Redaction | null {
  const members = expectMembers(node, "redact", reporter);
  if (members === null) return null;
  const oneTarget = refusePair(members, ["fields", "detectors"], reporter);
  const oneMask = refusePair(members, ["mask", "with"], reporter);
  const target = validateTarget(node, { members, own }, reporter);
  const mask = validateMask(members, reporter);
  const auditNode = members.get("audit");
  const audit = auditNode === undefined ? "mask" : expectName(auditNode, AUDIT_LIST, reporter);
  if (!oneTarget || !oneMask || target === null || mask === null || audit === null) return null;
  return { kind: "redact", target, mask, audit };
}

function validateTarget(
  node: SourceNode,
  { members, own }: { readonly members: Members; readonly own: KnownDetectors },
  reporter: Reporter,
): Redaction["target"] | null {
  const detectors = members.get("detectors");
  if (detectors !== undefined) {
    const names = expectDetectors(detectors, own, reporter);
    return names === null ? null : { kind: "detectors", names };
  }
  const fields = members.get("fields");
  if (fields === undefined) return missingKey(node, MISSING_TARGET, reporter);
  const list = expectFilledList(fields, { expected: "a list of arguments", most: MAX_FIELDS }, reporter);
  if (list === null) return null;
  return { kind: "fields", paths: list.items.flatMap((item) => expectFieldPattern(item, reporter) ?? []) };
}

function validateMask(members: Members, reporter: Reporter): Mask | null {
  const mask = members.get("mask");
  if (mask !== undefined) {
    const kind = expectName(mask, MASK_LIST, reporter);
    return kind === null ? null : { kind };
  }
  const replacement = members.get("with");
  if (replacement === undefined) return DEFAULT_MASK;
  const text = expectText(replacement, "a text", reporter);
  if (text === null || text.length <= MAX_REPLACEMENT_LENGTH)
    return text === null ? null : { kind: "with", text };
  return refuse("policy/invalid-text", replacement, reporter, {
    message: "the replacement is too long",
    expected: `at most ${String(MAX_REPLACEMENT_LENGTH)} characters`,
    fix: "write a short marker such as [redacted]",
  });
}

function refusePair(
  members: Members,
  [one, other]: readonly ["fields", "detectors"] | readonly ["mask", "with"],
  reporter: Reporter,
): boolean {
  const second = members.get(other);
  if (!members.has(one) || second === undefined) return true;
  reporter.report("policy/conflicting-keys", second, {
    message: `${one} and ${other} exclude each other`,
    expected: `${one} or ${other}`,
    found: "both",
    fix:
      other === "with"
        ? "remove mask to write the text of with, or remove with to apply the mask"
        : "make two rules: one with fields, one with detectors",
  });
  return false;
}
