import { policyRoutes } from "@svc/api/policy-routes";
import type { PolicyChange } from "@svc/contract/policy-change";
import type { ControlClient } from "../connection/control-client.ts";
import { addressWords } from "../connection/server-options.ts";
import { changePieces, maskedChanges } from "../diff/change-pieces.ts";
import { counted } from "../frame/counted.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";
import { Coverage } from "../policy-test/coverage.ts";
import { enforcing } from "../policy-test/decide-cases.ts";
import { planCases } from "../policy-test/plan-cases.ts";
import { readMockFile } from "../policy-test/read-mock-file.ts";
import { type CaseResult, runCases } from "../policy-test/run-cases.ts";
import { findTestsBeside } from "../policy-test/tests-beside.ts";
import type { Rollout } from "../rollout/apply-version.ts";
import {
  changedPercent,
  type DecisionDiff,
  decisionText,
  diffDecisions,
  percentText,
} from "../rollout/diff-decisions.ts";
import { findPolicy, modeOf, type Policy } from "../rollout/read-policy.ts";
import { tryVersion, type VersionDraft } from "../rollout/store-version.ts";
import type { DeployOptions } from "./deploy-options.ts";

/** A file that is to be deployed. */
export interface LocalPolicy {
  readonly id: string;
  readonly text: PolicyFile;
  readonly compiled: CompiledFile;
}

/** What deploying one file would do. */
export interface Plan extends LocalPolicy {
  readonly kind: "new" | "changed" | "unchanged";
  readonly mode: string;
  readonly draft: VersionDraft;
  /** Of the policy that runs: a version that is stored changes nothing of it. */
  readonly enabled: boolean;
  /** Empty for a new policy. */
  readonly changes: readonly PolicyChange[];
  readonly tests: TestsBeside | null;
  /** Null: nothing runs yet, nothing changes, or nobody asked. */
  readonly decisions: DecisionDiff | null;
}

export interface Planning {
  readonly options: DeployOptions;
  readonly why: string;
  readonly rollout: Rollout;
  readonly terminal: Terminal;
}

/**
 * Finds out everything that can be known before the change: tests, difference, what the server says of it,
 * and the recorded decisions that it would change.
 * @throws CommandFailure when the policy must not be deployed
 */
export async function planPolicy(local: LocalPolicy, planning: Planning): Promise<Plan> {
  const { id, text, compiled } = local;
  const { client } = planning.rollout;
  const { value } = compiled.reading;
  const tests = await testBeside(compiled, text.name, planning.terminal);
  requirePassed(tests);
  const running = await findPolicy(client, id);
  const changes = running === null ? [] : maskedChanges(running.document, value);
  const draft: VersionDraft = {
    id,
    base: running?.version ?? null,
    value,
    from: { kind: "document", document: text },
    why: planning.why,
  };
  const known = { ...local, enabled: running?.enabled ?? true, mode: modeOf(value), draft, changes, tests };
  if (running !== null && changes.length === 0) return { ...known, kind: "unchanged", decisions: null };
  requireActive(running);
  const { agentId } = compiled.explaining.document.head;
  await requireBinding(client, { id, agentId, isNew: running === null });
  await tryVersion(client, draft);
  const decisions = running === null ? null : await decideAgain(local, running.version, planning);
  return { ...known, kind: running === null ? "new" : "changed", decisions };
}

function requirePassed(tests: TestsBeside | null): void {
  const [first] = tests?.failed ?? [];
  if (tests === null || first === undefined) return;
  const [mismatch] = first.mismatches;
  const found =
    mismatch === undefined ? "" : `: ${mismatch.member}: expected ${mismatch.expected}, got ${mismatch.got}`;
  const policy = tests.file.replace(/\.test\.[a-z]+$/, ".yaml");
  throw new CommandFailure(
    "failed",
    `${String(tests.failed.length)} tests of ${tests.file} fail, such as ${first.test.name}${found}. ` +
      `Nothing was deployed. See svc-cli test ${policy} --mock ${tests.file}`,
  );
}

function requireActive(running: Policy | null): void {
  if (running?.archived === true)
    throw new CommandFailure(
      "failed",
      `policy ${running.id} is archived; enable it: svc-cli policies enable ${running.id} --reason "..."`,
    );
}

async function decideAgain(
  { id, text }: LocalPolicy,
  running: number,
  { options, rollout }: Planning,
): Promise<DecisionDiff | null> {
  const { replay: count, maxChanged } = options;
  if (count === 0) return null;
  const { client, output, signal } = rollout;
  const question = { policyId: id, running, source: text.source, count, signal };
  const decisions = await diffDecisions(client, question, output);
  const percent = changedPercent(decisions);
  if (maxChanged !== undefined && percent > maxChanged)
    throw new CommandFailure(
      "failed",
      `${text.name} would or may decide ${percentText(percent)} of the last ` +
        `${counted(decisions.decisions, "recorded call")} otherwise than version ${String(running)}, which ` +
        `runs, and --max-changed allows ${percentText(maxChanged)}. Nothing was deployed. ` +
        `See svc-cli diff ${text.name}${addressWords(options)}, which names the rules`,
    );
  return decisions;
}

/** What deploying one file would do, as lines. */
export function planText(plan: Plan): Piece[] {
  const { id, text, kind, draft, mode, changes, tests, decisions } = plan;
  const next = String((draft.base ?? 0) + 1);
  const head: Record<Plan["kind"], string> = {
    new: `new policy, version 1, ${mode}`,
    changed: `version ${next} in place of ${String(draft.base)}, ${mode}`,
    unchanged: `runs as version ${String(draft.base)} already`,
  };
  return [
    { text: id, as: "strong" },
    ` (${text.name}): ${head[kind]}\n`,
    ...changePieces(changes),
    ...(tests === null ? [] : [`tests     ${String(tests.passed)} passed, ${tests.file}\n`]),
    ...(decisions === null ? [] : decisionText(decisions)),
  ];
}

interface Binding {
  readonly id: string;
  /** The agent that the document names; null: none. */
  readonly agentId: string | null;
  readonly isNew: boolean;
}

/**
 * A new policy takes an agent that no policy is assigned to, and a later version names the agent that the
 * policy is assigned to. The server refuses the rest when it stores the version, and not when it only checks.
 * @throws CommandFailure `failed`
 */
export async function requireBinding(
  client: Pick<ControlClient, "ask">,
  { id, agentId, isNew }: Binding,
): Promise<void> {
  if (agentId === null) return;
  const query = { agent: agentId, archived: "all" };
  const { policies } = (await client.ask(policyRoutes.listPolicies, { query })).body;
  const others = policies.filter((policy) => policy.id !== id).map((policy) => policy.id);
  if (isNew ? others.length === 0 : policies.length > others.length) return;
  const found = others.length === 0 ? "no policy" : `policy ${others.join(", ")}`;
  throw new CommandFailure(
    "failed",
    `policy ${id} names agent_id ${agentId}, which is assigned to ${found}. Nothing was deployed. ` +
      "Change agent_id, or the assignment: docs/API.md, policy-assignments",
  );
}

/** The cases that stand beside a policy, decided by it. */
interface TestsBeside {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly CaseResult[];
}

/** Null: there are none. @throws CommandFailure `usage` for a file of tests that cannot be read */
async function testBeside(
  compiled: CompiledFile,
  path: string,
  terminal: Terminal,
): Promise<TestsBeside | null> {
  const file = findTestsBeside(path, terminal);
  if (file === null) return null;
  const mock = await readMockFile(file, terminal);
  const { agentId } = compiled.explaining.document.head;
  const cases = planCases(mock, { agentId, nowMs: Date.now() });
  const results = await runCases(enforcing(compiled), cases, new Coverage(compiled));
  return {
    file,
    passed: results.filter(({ outcome }) => outcome === "passed").length,
    failed: results.filter(({ outcome }) => outcome === "failed"),
  };
}
