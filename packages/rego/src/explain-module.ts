import type { LineRange } from "@svc/engine/evaluation";
import type { Checker, CheckerAnswer } from "./checker.ts";
import { INPUT_SCHEMA } from "./input-schema.ts";
import { parseMessages } from "./parse-messages.ts";
import type { ReactorReply } from "./reactor-reply.ts";
import { refuseSize } from "./refuse-size.ts";
import type { RegoModule } from "./rego-module.ts";
import { failed, type RegoExplanation, type RegoFailure, type RegoResult } from "./rego-result.ts";
import { isRule } from "./render-problems.ts";

/** Evaluates the module with OPA's trace and coverage. Never rejects. */
export async function explainModule(
  { checker, limitMs }: { readonly checker: Checker; readonly limitMs: number },
  module: RegoModule,
  inputText: string,
): Promise<RegoExplanation> {
  const refusal = refuseSize(module);
  if (refusal !== null) return unexplained(failed("rego_error", "the module or its data is too large"));
  const { text, data } = module;
  const asked = JSON.stringify({ op: "explain", text, data, schema: INPUT_SCHEMA });
  // The input goes to OPA as it is, and not through a number of JavaScript.
  const request = `${asked.slice(0, -1)},"input":${inputText}}`;
  const answer = await checker.ask(request, limitMs);
  if (answer.kind !== "reply") return unexplained(failureOf(answer));
  const { explained } = answer.reply;
  if (explained === undefined) return unexplained(failed("rego_error", "the module does not compile"));
  const { covered, not_covered: notCovered, percent, is_trace_cut: isCut } = explained;
  const ran = linesOf(covered ?? []);
  const missed = new Set([...linesOf(notCovered ?? [])].filter((line) => !ran.has(line)));
  const coverage = { covered: rangesOf(ran), notCovered: rangesOf(missed), percent };
  const trace = isCut ? `${explained.trace}\n(cut)` : explained.trace;
  return { result: resultOf(answer.reply, explained), trace, coverage };
}

/** OPA names the same line once for each of its expressions. */
function linesOf(ranges: readonly LineRange[]): Set<number> {
  const lines = ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  return new Set(lines.toSorted((a, b) => a - b));
}

/** @param lines in their order */
function rangesOf(lines: ReadonlySet<number>): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of lines) {
    const before = ranges.at(-1);
    if (before?.last === line - 1) ranges.splice(-1, 1, { first: before.first, last: line });
    else ranges.push({ first: line, last: line });
  }
  return ranges;
}

type Explained = NonNullable<ReactorReply["explained"]>;

function resultOf({ rules }: ReactorReply, { error, result }: Explained): RegoResult {
  if (error !== "") return failed("rego_error", error);
  try {
    return parseMessages(result, (rules ?? []).filter(isRule));
  } catch {
    return failed("rego_shape", "the result is not JSON");
  }
}

function failureOf(answer: Exclude<CheckerAnswer, { readonly kind: "reply" }>): RegoFailure {
  if (answer.kind === "late") return failed("rego_timeout", "the explanation did not end in its time");
  return failed("rego_unavailable", answer.text);
}

function unexplained(result: RegoFailure): RegoExplanation {
  return { result, trace: "", coverage: { covered: [], notCovered: [], percent: 0 } };
}
