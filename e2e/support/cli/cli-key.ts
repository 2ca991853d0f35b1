import type { Role } from "@svc/contract/role";
import { keyInEnvironment } from "../server/role-keys.ts";

/** Who runs which command in a deployment. An operator runs every other one. */
const HOLDER_OF_COMMAND: Readonly<Record<string, Role>> = {
  approvals: "approver",
  audit: "auditor",
  compliance: "auditor",
  deploy: "policy_author",
  diff: "policy_author",
  // It says of each kind of question whether the key may ask it.
  doctor: "admin",
  explain: "auditor",
  governance: "policy_author",
  guardrails: "policy_author",
  hook: "agent",
  keys: "admin",
  policies: "policy_author",
  rollback: "policy_author",
};

/** The variables of a command, with a key of its holder for a server that `startServer` started. */
export async function withCliKey(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const option = args.indexOf("--url");
  const url = option < 0 ? env["SVC_URL"] : args[option + 1];
  const role = HOLDER_OF_COMMAND[args[0] ?? ""] ?? "operator";
  return { ...(await keyInEnvironment(role, url ?? "")), ...env };
}
