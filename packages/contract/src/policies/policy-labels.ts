import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { type FixFor, nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { MAX_LABEL_KEY_LENGTH, MAX_LABEL_VALUE_LENGTH, MAX_LABELS } from "../limits.ts";
import { whyMember } from "./why.ts";

/** Short texts by name, for finding policies: `{"team": "payments"}`. */
export type Labels = Readonly<Record<string, string>>;

export const labelsSchema = z
  .record(z.string(), z.string())
  .readonly()
  .describe("Short texts by name, for finding policies.");

/** Labels to set; null removes one. The labels that are not named stay as they are. */
export type LabelChanges = Readonly<Record<string, string | null>>;

export interface PolicyPatch {
  readonly labels: LabelChanges;
  readonly why: string | null;
}

const KEY_EXPECTATION =
  `expected a label name of 1 to ${String(MAX_LABEL_KEY_LENGTH)} ASCII characters: ` +
  "a letter, digit or _ first, then letters, digits or . _ / -";

const VALUE_EXPECTATION =
  `expected a text of at most ${String(MAX_LABEL_VALUE_LENGTH)} characters without control characters, ` +
  "or null to remove the label";

const keySchema = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._/-]{0,${String(MAX_LABEL_KEY_LENGTH - 1)}}$`), {
    error: KEY_EXPECTATION,
  });

const valueSchema = z
  .string({ error: VALUE_EXPECTATION })
  .max(MAX_LABEL_VALUE_LENGTH, { error: VALUE_EXPECTATION })
  .regex(/^\P{Cc}*$/u, { error: VALUE_EXPECTATION })
  .nullable();

const COUNT_EXPECTATION = `expected 1 to ${String(MAX_LABELS)} labels`;

/** Body of a change of a policy's labels. */
export const policyPatchSchema = z
  .strictObject({
    labels: z
      .record(keySchema, valueSchema, { error: "expected an object of label names and texts" })
      .refine(
        (labels) => {
          const count = Object.keys(labels).length;
          return count >= 1 && count <= MAX_LABELS;
        },
        { error: COUNT_EXPECTATION },
      )
      .describe("Labels to set. Null removes a label, and labels that are not named stay."),
    why: whyMember,
  })
  .meta({ id: "PolicyPatch", description: "A change of a policy's labels." });

/** What a policy has besides labels is changed elsewhere. */
const patchFix: FixFor = (path, found) => {
  const [name] = path;
  if (path.length === 1 && name === "enabled")
    return `send POST policies/<id>/${found === false ? "disable" : "enable"}`;
  if (path.length === 1 && name === "archived")
    return `send POST policies/<id>/${found === false ? "enable" : "archive"}`;
  return nearestField(["labels", "why"])(path, found);
};

export function parsePolicyPatch(value: JsonValue): Parsed<PolicyPatch> {
  return parseWith(policyPatchSchema, value, patchFix);
}
