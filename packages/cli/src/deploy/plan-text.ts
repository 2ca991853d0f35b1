import { changePieces } from "../diff/change-pieces.ts";
import type { Piece } from "../frame/text.ts";
import { decisionText } from "../rollout/decision-text.ts";
import type { Plan } from "./plan-policy.ts";

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
