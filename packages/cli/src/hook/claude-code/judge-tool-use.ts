import { type DenyVerdict, type PauseVerdict, shapedArgsOf, type Verdict } from "@svc/contract/verdict";
import { decideOverExchange } from "@svc/decision-client/decide-over-exchange";
import { createSingleExchange } from "@svc/decision-client/single-exchange";
import type { BlockCause } from "../trial.ts";
import type { DecisionNotes } from "./decision-notes.ts";
import { callKeyOf } from "./hook-options.ts";
import type { HookSettings } from "./hook-settings.ts";
import type { ToolUse } from "./parse-tool-use.ts";
import { refusalText, renderBlock, renderRewrite } from "./render-answer.ts";

/** What Claude Code is told about a call. */
export type HookAnswer =
  | { readonly kind: "pass"; readonly answer: string }
  | {
      readonly kind: "block";
      readonly cause: BlockCause;
      readonly reason: string;
      readonly answer: string;
    };

interface JudgeParts {
  readonly settings: HookSettings;
  /** Null: nobody will report how the call ended. */
  readonly notes: DecisionNotes | null;
}

/** Asks the gateway about one call. */
export async function judgeToolUse(use: ToolUse, { settings, notes }: JudgeParts): Promise<HookAnswer> {
  const { sessionId, tool, args, callId } = use;
  const { decide } = decideOverExchange(createSingleExchange(settings.client), settings.client, {
    monotonicMs: () => performance.now(),
    onFault: () => {},
  });
  const verdict = await decide(
    {
      agent_id: settings.agentId,
      session_id: sessionId,
      tool,
      args,
      namespace: settings.namespace,
      cost_micro_usd: null,
    },
    { idempotencyKey: callId === null ? undefined : callKeyOf(sessionId, callId, args) },
  );
  const answer = render(tool, verdict);
  if (verdict.decision === "allow" && notes !== null && callId !== null)
    notes.write({ sessionId, callId }, verdict.decision_id);
  return answer;
}

/**
 * A pause blocks the call. With `ask`, Claude Code asks the person at the terminal, and then runs the call
 * without another question to the gateway.
 */
function render(tool: string, verdict: Verdict): HookAnswer {
  switch (verdict.decision) {
    case "allow": {
      const shaped = shapedArgsOf(verdict);
      return { kind: "pass", answer: shaped === null ? "" : renderRewrite(shaped) };
    }
    case "deny":
    case "pause": {
      const reason = refusalText(tool, verdict);
      return { kind: "block", cause: causeOf(verdict), reason, answer: renderBlock(reason) };
    }
    default:
      throw new Error("the decision client answered with an unknown decision");
  }
}

function causeOf(verdict: DenyVerdict | PauseVerdict): BlockCause {
  if (verdict.decision === "pause") return verdict.reason_code === "agent_suspended" ? "held" : "paused";
  return verdict.fail_closed === true ? "unknown" : "denied";
}
