import { DECISIONS, GOVERNANCE_MODES } from "@svc/contract/verdict";
import { GraphQLString } from "graphql";
import { camelCase } from "./camel-case.ts";
import type { Loaded } from "./loaders.ts";
import type { Field, Fields, OutputTypes } from "./output-types.ts";
import type { QueryContext } from "./query-context.ts";
import { readRowMember } from "./read-member.ts";
import { nullIfAbsent, reads } from "./route-field.ts";
import { answerOf, pageOf } from "./route-schemas.ts";
import { JSON_SCALAR, LONG } from "./scalars.ts";

type Source = Readonly<Record<string, unknown>>;

/**
 * Fields of a type that its schema in the API does not have: other records that it names by id, and members
 * of its row. Records are read for all nodes of a page at once. The next such field is a line here.
 */
export function moreFields(types: OutputTypes, type: string): Fields {
  switch (type) {
    case "Event":
    case "EventProof":
    case "Decision":
      return {
        ...rowFields(types),
        agent: recordField(types, "agents", ({ row }) => (row as Source)["agent_id"]),
        policy: recordField(types, "policies", ({ row }) => (row as Source)["policy_id"]),
        ...(type === "Decision" ? { explanation: explanationField(types) } : {}),
      };
    case "Approval":
    case "ApprovalItem":
      return {
        agent: recordField(types, "agents", ({ agent_id: id }) => id),
        policy: recordField(types, "policies", ({ policy_id: id }) => id),
      };
    case "Alert":
    case "Session":
      return { agent: recordField(types, "agents", ({ agent_id: id }) => id) };
    case "PolicyOfSession":
      return { policy: recordField(types, "policies", ({ policy_id: id }) => id) };
    case "Agent":
      return { parent: recordField(types, "agents", ({ parent_agent_id: id }) => id) };
    default:
      return {};
  }
}

const ROUTES = { agents: "listAgents", policies: "listPolicies" } as const;

const DESCRIPTIONS: Readonly<Record<Loaded, string>> = {
  agents: "The agent as it is now. Null: none is named, or the organization has none of this id.",
  policies: "The policy in its latest version. Null: none is named, or the organization has none of this id.",
};

function recordField(types: OutputTypes, loaded: Loaded, idOf: (source: Source) => unknown): Field {
  const page = pageOf(ROUTES[loaded]);
  if (page === null) throw new Error(`${loaded}: expected a list`);
  return {
    type: types.objectOf(page.item, loaded),
    description: DESCRIPTIONS[loaded],
    resolve: (source, _args, { loaders }: QueryContext) => {
      const id = idOf(source);
      return typeof id === "string" ? loaders[loaded].load(id) : null;
    },
    ...reads("one"),
  };
}

function explanationField(types: OutputTypes): Field {
  const operation = "explainDecision";
  return {
    type: types.objectOf(answerOf(operation), "Explanation"),
    description: "The decision, made again and explained.",
    resolve: ({ decision_id: id }, _args, { read }: QueryContext) =>
      read({ operation, params: { decision_id: String(id) }, query: {} }).catch(nullIfAbsent),
    ...reads("one"),
  };
}

/** Members of rows that people filter by and look at. `row` has every member. */
function rowFields(types: OutputTypes): Fields {
  const texts = [
    "principal",
    "agent_id",
    "session_id",
    "namespace",
    "tool",
    "reason",
    "reason_code",
    "rule_id",
    "policy_id",
    "kill_switch_id",
    "approval_id",
    "cost_usd",
  ] as const;
  const ofTexts = texts.map((member) => [
    camelCase(member),
    { type: GraphQLString, resolve: readRowMember(member) },
  ]);
  return {
    ...(Object.fromEntries(ofTexts) as Fields),
    args: {
      type: JSON_SCALAR,
      description: "The arguments of a call, with secrets masked.",
      resolve: readRowMember("args"),
    },
    decision: { type: types.enumOf(DECISIONS, "DecisionKind"), resolve: readRowMember("decision") },
    mode: { type: types.enumOf(GOVERNANCE_MODES, "GovernanceMode"), resolve: readRowMember("mode") },
    policyVersion: { type: LONG, resolve: readRowMember("policy_version") },
  };
}
