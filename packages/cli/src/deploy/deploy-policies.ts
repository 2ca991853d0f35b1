import { confirmProtected, reasonOr } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { type Connection, resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { appliedText, confirmationText, noteText, undoOf } from "../rollout/applied-text.ts";
import {
  type AppliedVersion,
  applyVersion,
  DISABLED,
  outcomeOf,
  type Rollout,
} from "../rollout/apply-version.ts";
import { awaitGateways } from "../rollout/await-gateways.ts";
import { interruptible } from "../rollout/interruptible.ts";
import type { DeployOptions } from "./deploy-options.ts";
import { localPolicies } from "./local-policies.ts";
import { type LocalPolicy, type Plan, type Planning, planPolicy, planText } from "./plan-policy.ts";

const SCHEMA = "svc.cli.deploy/v1";

/** Puts policies into force, one after the other. Nothing is changed before every one of them is planned. */
export async function deployPolicies(
  paths: readonly string[],
  options: DeployOptions,
  terminal: Terminal,
): Promise<Outcome> {
  requireMeasure(options);
  const output = new Output(terminal, options);
  const why = reasonOr("svc-cli deploy", options);
  const local = await localPolicies(paths, options, terminal);
  const connection = await resolveConnection(options, terminal);
  const known = { client: new ControlClient(connection), output, waitMs: options.wait * 1_000 };
  const plans = await interruptible(terminal, (signal) =>
    planAll(local, { options, why, rollout: { ...known, signal }, terminal }),
  );
  if (options.dryRun) return showPlans(plans, output);
  // A signal ends the question as it ends the process.
  await confirm(plans, { options, connection, output, terminal });
  return interruptible(terminal, (signal) =>
    apply(plans, { options, rollout: { ...known, signal }, output }),
  );
}

async function planAll(local: readonly LocalPolicy[], planning: Planning): Promise<readonly Plan[]> {
  const { output, signal } = planning.rollout;
  const plans: Plan[] = [];
  for (const policy of local) {
    if (signal.aborted) throw new CommandFailure("interrupted", "interrupted: nothing was changed");
    output.progress(`plan: ${String(plans.length)} of ${String(local.length)} policies`);
    plans.push(await planPolicy(policy, planning));
  }
  return plans;
}

function requireMeasure({ replay, maxChanged }: DeployOptions): void {
  if (replay === 0 && maxChanged !== undefined)
    throw new CommandFailure("usage", "--max-changed needs decisions to count: leave out --replay 0");
}

function showPlans(plans: readonly Plan[], output: Output): Outcome {
  output.result({
    text: [...plans.flatMap(planText), { text: "dry run", as: "warning" }, "   nothing was changed\n"],
    schema: SCHEMA,
    json: { dry_run: true, policies: plans.map((plan) => deploymentJson({ plan, applied: null })) },
    items: plans.map((plan) => deploymentJson({ plan, applied: null })),
  });
  return "ok";
}

interface Confirming {
  readonly options: DeployOptions;
  readonly connection: Connection;
  readonly output: Output;
  readonly terminal: Terminal;
}

async function confirm(
  plans: readonly Plan[],
  { options, connection, output, terminal }: Confirming,
): Promise<void> {
  const changing = plans.filter(({ kind }) => kind !== "unchanged");
  if (changing.length === 0) return;
  if (connection.protectedName !== undefined && !options.yes) output.note(plans.flatMap(planText));
  const names = changing.map(({ id }) => id).join(", ");
  await confirmProtected(connection, `change the policies ${names}`, options, terminal);
}

interface Applying {
  readonly options: DeployOptions;
  readonly rollout: Rollout;
  readonly output: Output;
}

/** Stops at the first policy that is not in force everywhere. What became of each is printed in any case. */
async function apply(plans: readonly Plan[], { options, rollout, output }: Applying): Promise<Outcome> {
  const done: Deployment[] = [];
  let end: Outcome = "ok";
  let failure: Error | null = null;
  for (const plan of plans) {
    if (end !== "ok" || failure !== null || rollout.signal.aborted) {
      done.push({ plan, applied: null });
      continue;
    }
    try {
      const applied = await (plan.kind === "unchanged"
        ? confirmRunning(plan, rollout)
        : applyVersion(rollout, plan.draft));
      done.push({ plan, applied });
      end = outcomeOf(applied, rollout.signal);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      done.push({ plan, applied: null });
    }
  }
  if (rollout.signal.aborted && end === "ok") end = "interrupted";
  if (failure === null || done.some(isStored)) showDeployments(done, options, output);
  if (failure !== null) throw failure;
  return end;
}

function isStored({ applied, plan }: Deployment): boolean {
  return applied !== null && plan.kind !== "unchanged";
}

function showDeployments(done: readonly Deployment[], options: DeployOptions, output: Output): void {
  const policies = done.map((deployment) => deploymentJson(deployment, options));
  output.result({
    text: done.flatMap((deployment) => deploymentText(deployment, options, output)),
    schema: SCHEMA,
    json: { dry_run: false, policies },
    items: policies,
  });
}

/** A policy that runs already: nothing is stored, and every gateway is asked whether it decides by it. */
async function confirmRunning({ id, draft, mode, enabled }: Plan, rollout: Rollout): Promise<AppliedVersion> {
  const { client, output, waitMs, signal } = rollout;
  const version = draft.base ?? 0;
  const wait = { id, version, known: [], sentMs: performance.now(), waitMs, signal };
  return {
    policy_id: id,
    version,
    version_before: version,
    mode,
    enabled,
    ...(await awaitGateways(client, wait, output)),
    audit_row: null,
    audit_row_missing_because: "nothing was changed",
    ended_approvals: 0,
    note: enabled ? null : DISABLED,
  };
}

/** What became of one file. */
interface Deployment {
  readonly plan: Plan;
  /** Null: nothing was stored. */
  readonly applied: AppliedVersion | null;
}

function deploymentText({ plan, applied }: Deployment, address: ServerOptions, output: Output): Piece[] {
  const planned = planText(plan);
  if (applied === null) return [...planned, { text: "not deployed\n", as: "warning" }];
  if (plan.kind === "unchanged")
    return [...planned, "nothing was changed\n", ...noteText(applied), ...confirmationText(applied, output)];
  return [...planned, ...appliedText(applied, "deployed", undoOf(plan.draft, address), output)];
}

/** The same for programs. */
function deploymentJson({ plan, applied }: Deployment, address: ServerOptions | null = null): object {
  const { id, text, kind, draft, mode, changes, tests, decisions } = plan;
  const stored = applied !== null && kind !== "unchanged";
  return {
    file: text.name,
    policy_id: id,
    plan: kind,
    version_before: draft.base,
    mode,
    changes,
    tests: tests === null ? null : { file: tests.file, passed: tests.passed },
    decisions,
    stored,
    ...(applied ?? { confirmed: false }),
    undo: stored && address !== null ? undoOf(plan.draft, address) : null,
  };
}
