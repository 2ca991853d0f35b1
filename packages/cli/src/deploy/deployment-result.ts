import type { ServerOptions } from "../connection/server-options.ts";
import type { Output } from "../frame/output.ts";
import type { Piece } from "../frame/text.ts";
import { appliedText, confirmationText, noteText } from "../rollout/applied-text.ts";
import type { AppliedVersion } from "../rollout/apply-version.ts";
import { undoOf } from "../rollout/undo-of.ts";
import type { Plan } from "./plan-policy.ts";
import { planText } from "./plan-text.ts";

/** What became of one file. */
export interface Deployment {
  readonly plan: Plan;
  /** Null: nothing was stored. */
  readonly applied: AppliedVersion | null;
}

export function deploymentText(
  { plan, applied }: Deployment,
  address: ServerOptions,
  output: Output,
): Piece[] {
  const planned = planText(plan);
  if (applied === null) return [...planned, { text: "not deployed\n", as: "warning" }];
  if (plan.kind === "unchanged")
    return [...planned, "nothing was changed\n", ...noteText(applied), ...confirmationText(applied, output)];
  return [...planned, ...appliedText(applied, "deployed", undoOf(plan.draft, address), output)];
}

/** The same for programs. */
export function deploymentJson({ plan, applied }: Deployment, address: ServerOptions | null = null): object {
  const { id, text, kind, draft, mode, changes, tests, decisions } = plan;
  const isStored = applied !== null && kind !== "unchanged";
  return {
    file: text.name,
    policy_id: id,
    plan: kind,
    version_before: draft.base,
    mode,
    changes,
    tests: tests === null ? null : { file: tests.file, passed: tests.passed },
    decisions,
    stored: isStored,
    ...(applied ?? { confirmed: false }),
    undo: isStored && address !== null ? undoOf(plan.draft, address) : null,
  };
}
