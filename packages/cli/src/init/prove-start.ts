import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";
import { Coverage } from "../policy-test/coverage.ts";
import { enforcing } from "../policy-test/decide-cases.ts";
import { planCases } from "../policy-test/plan-cases.ts";
import { parseMockFile } from "../policy-test/read-mock-file.ts";
import { runCases } from "../policy-test/run-cases.ts";
import { checkPolicyFile } from "../validate/validate.ts";

/** Checks a new policy and its cases as `validate --strict` and `test` do. Rejects when svc-cli is wrong. */
export async function proveStart(
  policy: PolicyFile,
  cases: { readonly name: string; readonly text: string },
): Promise<void> {
  const { valid, diagnostics } = await checkPolicyFile(policy);
  const [finding] = diagnostics;
  if (!valid || finding !== undefined)
    throw new Error(`the new policy has a finding: ${finding?.message ?? "it is refused"}`);
  const compiled = await compilePolicyFile(policy);
  const { agentId } = compiled.explaining.document.head;
  const planned = planCases(parseMockFile(cases.name, cases.text), { agentId, nowMs: 0 });
  const results = await runCases(enforcing(compiled), planned, new Coverage(compiled));
  const failed = results.find(({ outcome }) => outcome !== "passed");
  if (failed !== undefined) throw new Error(`the new case fails: ${failed.test.name}`);
}
