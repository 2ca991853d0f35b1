import {
  isProblem,
  MAX_PROBLEM_BYTES,
  PROBLEM_TIMEOUT_MS,
  problemDetail,
} from "@svc/decision-client/problem-detail";
import { readBody } from "./read-body.ts";

/** Why a request was refused, in the words of the gateway; null when it said nothing readable in time. */
export async function readProblem(answer: Response): Promise<string | null> {
  const { status, headers } = answer;
  const contentType = headers.get("content-type") ?? undefined;
  const contentEncoding = headers.get("content-encoding") ?? undefined;
  if (!isProblem({ status, contentType, contentEncoding })) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PROBLEM_TIMEOUT_MS);
  });
  const read = readBody(answer, MAX_PROBLEM_BYTES).catch(() => null);
  const bytes = await Promise.race([read, late]);
  clearTimeout(timer);
  return bytes === null ? null : problemDetail(bytes);
}
