import { APPROVAL_SCOPES } from "@svc/contract/approval-scope";
import type { JsonObject } from "@svc/text/json-value";
import type { FieldPath } from "../evaluate/field-path.ts";
import type { ApprovalReach, ApprovalRequest } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { textDefinition } from "./definitions.ts";
import { expectFilledList, expectIdentifier, expectMembers, expectName } from "./expect.ts";
import { expectFieldPath } from "./expect-field.ts";
import { type NameList, namesSchema } from "./explain-name.ts";
import { placeSchema, valuesSchema } from "./json-schema.ts";

/** Most arguments that one rule may compare, as count: few say whom or what a call is about. */
const MAX_COVERED_FIELDS = 10;

const SCOPE_LIST: NameList<(typeof APPROVAL_SCOPES)[number]> = {
  kind: "scope of an approval",
  names: APPROVAL_SCOPES,
  synonyms: new Map([
    ["call", "session"],
    ["conversation", "session"],
    ["sessions", "agent"],
    ["any", "agent"],
  ]),
};

/** Schema of `validateApproval`. */
export const APPROVAL_SCHEMA: JsonObject = placeSchema("approval", {
  scope: namesSchema(SCOPE_LIST),
  covers: valuesSchema(textDefinition("field_path"), MAX_COVERED_FIELDS),
  workflow: textDefinition("identifier"),
});

export function validateApproval(node: SourceNode, reporter: Reporter): ApprovalRequest | null {
  const members = expectMembers(node, "approval", reporter);
  if (members === null) return null;
  const workflowNode = members.get("workflow");
  const workflow = workflowNode === undefined ? null : expectIdentifier(workflowNode, reporter);
  const reach = validateReach(members.get("scope"), members.get("covers"), reporter);
  if (workflowNode !== undefined && workflow === null) return null;
  return reach === "refused" ? null : { kind: "require_approval", workflow, reach };
}

function validateReach(
  scopeNode: SourceNode | undefined,
  coversNode: SourceNode | undefined,
  reporter: Reporter,
): ApprovalReach | null | "refused" {
  const scope = scopeNode === undefined ? "session" : expectName(scopeNode, SCOPE_LIST, reporter);
  const covers = coversNode === undefined ? [] : validateCovers(coversNode, reporter);
  if (scope === null || covers === null) return "refused";
  return scope === "session" && covers.length === 0 ? null : { scope, covers };
}

function validateCovers(node: SourceNode, reporter: Reporter): readonly FieldPath[] | null {
  const expected = "a list of arguments, such as [args.to]";
  const list = expectFilledList(node, { expected, most: MAX_COVERED_FIELDS }, reporter);
  if (list === null) return null;
  const paths = list.items.flatMap((item) => expectFieldPath(item, reporter) ?? []);
  return paths.length === list.items.length ? paths : null;
}
