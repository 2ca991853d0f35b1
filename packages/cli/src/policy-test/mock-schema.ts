import {
  EXPECTED_DECISIONS_TEXT,
  type ExpectedDecisions,
  isExpectedDecisions,
} from "@svc/contract/expected-decision";
import { nameSchema } from "@svc/contract/name-schema";
import { nearestField, parseWith } from "@svc/contract/parse-with";
import type { Parsed } from "@svc/contract/parsed";
import { REASON_CODES } from "@svc/contract/verdict";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { z } from "zod";

/** Most times that one case is repeated, as count: more is a mistyped number. */
const MAX_REPEAT = 10_000;

const REPEAT = `expected a whole number from 1 to ${MAX_REPEAT.toLocaleString("en-US")}`;

/** What a case says about the decision. A member that is left out may be anything. */
const expectSchema = z.strictObject(
  {
    decision: z
      .custom<ExpectedDecisions>(isExpectedDecisions, { error: `expected ${EXPECTED_DECISIONS_TEXT}` })
      .optional(),
    rule_id: z.string({ error: "expected the id of a rule, or null" }).nullable().optional(),
    reason: z.string({ error: "expected a text, or a /pattern/" }).optional(),
    reason_code: z
      .enum(REASON_CODES, { error: `expected one of ${REASON_CODES.join(", ")}` })
      .nullable()
      .optional(),
    shaped_args: jsonObject("an object, or null").nullable().optional(),
  },
  { error: "expected an object with decision, rule_id, reason, reason_code or shaped_args" },
);

export const actionSchema = z.strictObject({
  name: z.string({ error: "expected a text" }).min(1, { error: "expected a text" }).optional(),
  agent_id: nameSchema.optional(),
  session_id: nameSchema.nullable().optional(),
  namespace: nameSchema.optional(),
  tool: nameSchema,
  args: jsonObject("an object").optional(),
  cost_usd: z
    .unknown()
    .optional()
    .refine((usd) => usd === undefined || parseUsd(usd) !== null, { error: `expected ${USD_EXPECTATION}` }),
  time: z.iso
    .datetime({ offset: true, error: "expected a time in RFC 3339, such as 2026-06-01T09:00:00Z" })
    .optional(),
  repeat: z.int({ error: REPEAT }).min(1, { error: REPEAT }).max(MAX_REPEAT, { error: REPEAT }).optional(),
  expect: expectSchema.optional(),
});

export type Action = Readonly<z.output<typeof actionSchema>>;
export type Expected = Readonly<z.output<typeof expectSchema>>;

const FIELDS = Object.keys(actionSchema.shape);

/** Reads one action of a file of test cases. Unknown fields are refused: a misspelt one must not pass. */
export function parseAction(value: JsonValue): Parsed<Action> {
  return parseWith(actionSchema, value, nearestMember);
}

const inAction = nearestField(FIELDS);
const inExpect = nearestField(Object.keys(expectSchema.shape));

const nearestMember: typeof inAction = (path, found) =>
  path[0] === "expect" && path.length > 1 ? inExpect(path.slice(1), found) : inAction(path, found);

function jsonObject(what: string) {
  return z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), { error: `expected ${what}` });
}
