import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import type { Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { parsePlainJson } from "@svc/text/plain-json";
import { parseStrictJson } from "@svc/text/strict-json";
import { type Answerer, GATEWAY, judgeAnswer, type ReadJson, type VerdictAnswer } from "./judge-answer.ts";

/** The verdict of an answer, as judgeAnswer reads it, with the reader of strict JSON of this process. */
export function readVerdict(answer: VerdictAnswer, who: Answerer = GATEWAY): Verdict {
  return judgeAnswer(answer, who, readJson);
}

/** A verdict that holds objects goes to the strict reader, whose objects inherit nothing. */
const readJson: ReadJson = (body) => {
  const plain = body.byteLength > MAX_VERDICT_BYTES ? null : parsePlainJson(body);
  return plain !== null && isFlat(plain)
    ? { ok: true, value: plain }
    : parseStrictJson(body, MAX_VERDICT_BYTES);
};

function isFlat(object: JsonObject): boolean {
  for (const name in object) if (typeof object[name] === "object") return false;
  return true;
}
