import type { JsonObject } from "@svc/text/json-value";
import { conditionDefinitions } from "./validate/condition-schema.ts";
import { TEXT_DEFINITIONS } from "./validate/definitions.ts";
import { LIST_REFERENCE_DEFINITION } from "./validate/json-schema.ts";
import { POLICY_SCHEMA } from "./validate/validate-policy.ts";

/** The number rises when the schema refuses what it took before. */
const SCHEMA_ID = "urn:svc:schema:policy:v1";

/** The JSON Schema of a policy document, made of the definitions that validate one. */
export function policySchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: SCHEMA_ID,
    ...POLICY_SCHEMA,
    title: "Policy",
    description: "Which tools an agent may call, with which arguments, and when a person must be asked.",
    $defs: { ...conditionDefinitions(), ...TEXT_DEFINITIONS, list_reference: LIST_REFERENCE_DEFINITION },
  };
}

/** The schema as a file. */
export function renderPolicySchema(): string {
  return `${JSON.stringify(policySchema(), null, 2)}\n`;
}
