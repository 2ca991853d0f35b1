import { wordList } from "@svc/engine/word-list";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck, FindingContext, Suspicion } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { placeOfField, shortNameOf, suspectQuestion } from "../suspect-question.ts";
import { ABSENT, exampleValues } from "../witness/example-values.ts";

/** An argument that claims what only people or other systems know, and what to do instead. */
interface Claim {
  readonly names: ReadonlySet<string>;
  /** The values that claim something. Absent: all. */
  readonly values?: ReadonlySet<JsonValue>;
  readonly fix: (instead: JsonObject) => string;
}

const askAgent = (instead: JsonObject): string =>
  `give each person or role an agent id with a key of its own, and write ${renderFlow(instead)}`;

const CLAIMS: readonly Claim[] = [
  {
    names: namesOf(
      "approved is_approved pre_approved preapproved human_approved user_approved manager_approved " +
        "approval_granted approved_by authorized authorised is_authorized " +
        "is_authorised user_confirmed permission_granted",
    ),
    fix: () => "write action: require_approval without this condition, so that people are asked",
  },
  {
    names: namesOf("test_passed tests_passed tests_ok tests_green ci_passed checks_passed build_passed"),
    fix: () =>
      "let the tool demand a signed result; or write action: require_approval without this condition",
  },
  {
    names: namesOf("fraud_score risk_score trust_score reputation_score"),
    fix: () => "let the tool look the score up and refuse; or write action: require_approval",
  },
  {
    names: namesOf("called_by current_user acting_as caller_role my_role current_role"),
    fix: askAgent,
  },
  {
    names: namesOf(
      "role roles user_role user_roles admin is_admin manager is_manager superuser is_superuser",
    ),
    values: new Set([true, ...wordList("admin administrator manager supervisor director owner root")]),
    fix: askAgent,
  },
  {
    names: namesOf("now current_time current_hour current_date current_day local_time"),
    fix: () => "write field: time, which is the clock of the gateway",
  },
];

function namesOf(words: string): ReadonlySet<string> {
  return new Set(wordList(words));
}

/** Tools that look for what has such an attribute. */
const LOOKS_UP = /(?:^|[._:/-])(?:get|list|search|read|find|query|count|filter)(?:$|[._:/-])/i;

/** A call passes because of what an argument claims, and the model writes the arguments. */
export const claimedByModel: FindingCheck = {
  code: "policy/claimed-by-model",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { rule, question, operator } = authored;
      if (question.subject.kind !== "args" || rule.tools.some((tool) => LOOKS_UP.test(tool))) continue;
      if (operator === "path_within" && question.test.against?.kind === "args")
        yield* folderOfModel(context, authored);
      else if (authored.written["value_field"] === undefined) yield* claimOf(context, authored);
    }
  },
};

function* claimOf(context: FindingContext, authored: AuthoredQuestion): Iterable<Suspicion> {
  const { operator, role, rule } = authored;
  if (rule.action.kind === "redact" || rule.action.kind === "constrain") return;
  const name = shortNameOf(authored);
  const claim = CLAIMS.find(({ names }) => names.has(name));
  if (claim === undefined) return;
  const values = exampleValues(authored.written, role === "lets").filter((value) => value !== ABSENT);
  const isList = operator === (role === "lets" ? "in" : "not_in");
  const passing = isList ? listOf(authored.written["value"] ?? null) : values;
  if (values.length === 0 || !passing.every((value) => claim.values?.has(value) ?? true)) return;
  const instead: JsonObject = { field: "agent_id", operator: role === "lets" ? "==" : "!=", value: TRUSTED };
  yield suspectQuestion(context, authored, {
    place: placeOfField(authored),
    instead,
    shows: "passes",
    values,
    words: {
      message: `the model writes the arguments, so ${name} is what it claims`,
      expected: "a field that the model does not write: agent_id, time or session; or an approval",
      found: `a condition on ${name} that lets a call pass`,
      fix: claim.fix(instead),
    },
  });
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

/** An agent that has other rights. */
const TRUSTED = "trusted-agent";

/** `path_within` with `value_field`: the model names the folder and the path in it. */
function* folderOfModel(context: FindingContext, authored: AuthoredQuestion): Iterable<Suspicion> {
  const { value_field: folder, ...rest } = authored.written;
  if (authored.role !== "lets" || typeof folder !== "string") return;
  const instead: JsonObject = { ...rest, value: "/srv/work" };
  yield suspectQuestion(context, authored, {
    place: placeOfField(authored),
    instead,
    shows: "passes",
    values: ["/etc/passwd"],
    beside: [{ field: folder, value: "/etc" }],
    words: {
      message: `the model writes ${folder} too, so every path is within the folder that it names`,
      expected: "folders that the policy names",
      found: `value_field: ${folder}`,
      fix: `write the folder of each agent, such as ${renderFlow(instead)} beside a condition on agent_id`,
    },
  });
}
