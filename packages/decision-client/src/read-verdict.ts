import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { parseStrictJson } from "@svc/contract/strict-json";
import type { Verdict } from "@svc/contract/verdict";
import { type Answerer, GATEWAY, judgeAnswer, type VerdictAnswer } from "./judge-answer.ts";

/** The verdict of an answer, as judgeAnswer reads it, with the reader of strict JSON of this process. */
export function readVerdict(answer: VerdictAnswer, who: Answerer = GATEWAY): Verdict {
  return judgeAnswer(answer, who, (body) => parseStrictJson(body, MAX_VERDICT_BYTES));
}
