import { z } from "zod";
import { governanceModeSchema } from "../execute/decision-schema.ts";
import type { GovernanceMode } from "../execute/verdict.ts";
import { nameSchema } from "../fields/name-schema.ts";
import { choiceParameter, namesParameter } from "../fields/query-parameter.ts";
import { MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from "../limits.ts";

/** Which policies a list shows. Null: whatever they are. */
export interface PolicyFilter {
  readonly ids: readonly string[] | null;
  /** Policies that are assigned to this namespace. */
  readonly namespace: string | null;
  /** Policies that are assigned to this agent. */
  readonly agent: string | null;
  readonly mode: GovernanceMode | null;
  readonly enabled: boolean | null;
  readonly archived: boolean | null;
  /** A text in the id, the name or the labels, whatever its case. */
  readonly text: string | null;
}

/** Lets every policy pass, archived ones included. */
export const ANY_POLICY: PolicyFilter = {
  ids: null,
  namespace: null,
  agent: null,
  mode: null,
  enabled: null,
  archived: null,
  text: null,
};

const SEARCH_EXPECTATION =
  `expected a text of 1 to ${String(MAX_SEARCH_LENGTH)} characters, ` + "none of them a control character";

const flag = () => z.enum(["true", "false"], { error: "expected one of true, false" }).optional();

/** The query parameters that narrow a list of policies. */
export const POLICY_FILTERS = {
  id: namesParameter("Policies with these ids.", MAX_PAGE_SIZE),
  namespace: nameSchema.optional().describe("Policies that are assigned to this namespace."),
  agent: nameSchema.optional().describe("Policies that are assigned to this agent."),
  mode: governanceModeSchema.optional().describe("Policies of this governance mode."),
  enabled: flag().describe("Only enabled policies, or only disabled ones."),
  archived: choiceParameter(["true", "false", "all"], "false").describe(
    "Only archived policies, only the others, or all.",
  ),
  q: z
    .string()
    .min(1, { error: SEARCH_EXPECTATION })
    .max(MAX_SEARCH_LENGTH, { error: SEARCH_EXPECTATION })
    .regex(/^\P{Cc}*$/u, { error: SEARCH_EXPECTATION })
    .optional()
    .describe("A text in the id, the name or a label (`team=payments`), whatever its case."),
};

type Query = z.output<z.ZodObject<typeof POLICY_FILTERS>>;

/** The filter that the query parameters ask for. */
export function policyFilter({ id, namespace, agent, mode, enabled, archived, q }: Query): PolicyFilter {
  return {
    ids: id ?? null,
    namespace: namespace ?? null,
    agent: agent ?? null,
    mode: mode ?? null,
    enabled: enabled === undefined ? null : enabled === "true",
    archived: archived === "all" ? null : archived === "true",
    text: q ?? null,
  };
}
