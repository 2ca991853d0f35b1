import type { Verdict } from "@svc/contract/verdict";
import type { JudgedCall } from "@svc/gateway/gateway";
import { printable } from "@svc/process/printable";

/** Most lines printed in one second: more than a person reads, and too few to slow decisions down. */
const MAX_LINES_PER_SECOND = 20;

/** Longest reason on a line, in characters: a line of a terminal. */
const REASON_LENGTH = 120;

/** Called with each verdict before it is answered. */
export type OnVerdict = (call: JudgedCall, verdict: Verdict) => void;

export interface PrintDecisionsParts {
  readonly print: (text: string) => void;
  readonly now: () => Date;
}

/**
 * Prints one line per decision for people who try the service out: time, decision, agent, tool and reason.
 * Beyond the limit of a second it prints one line with the number of further decisions.
 */
export function printDecisions({ print, now }: PrintDecisionsParts): OnVerdict {
  let second = "";
  let lines = 0;
  const endSecond = (): void => {
    const more = lines - MAX_LINES_PER_SECOND;
    if (more > 0) print(`${second}  ${String(more)} more decisions\n`);
    lines = 0;
  };
  return (call, verdict) => {
    const time = now().toISOString().slice(11, 19);
    if (time !== second) {
      endSecond();
      second = time;
      setTimeout(() => {
        if (second === time) endSecond();
      }, 1_000).unref();
    }
    lines += 1;
    if (lines <= MAX_LINES_PER_SECOND) print(decisionLine(time, call, verdict));
  };
}

function decisionLine(time: string, { agent_id, tool }: JudgedCall, verdict: Verdict): string {
  return `${[time, ...outcomeOf(verdict, `${agent_id}  ${tool}`)].join("  ")}\n`;
}

function outcomeOf(verdict: Verdict, call: string): readonly string[] {
  if (verdict.decision !== "allow") {
    const rule = verdict.rule_id === undefined ? [] : [`[${verdict.rule_id}]`];
    return [verdict.decision.padEnd(5), call, ...rule, shown(verdict.reason)];
  }
  const { would_be } = verdict;
  if (would_be === undefined) return ["allow", call];
  return ["allow", call, `would be ${would_be.decision}: ${shown(would_be.reason)}`];
}

/** A reason may quote a policy, which may hold terminal escapes. */
function shown(reason: string): string {
  return printable(reason.slice(0, REASON_LENGTH).replaceAll(/\s+/g, " "));
}
