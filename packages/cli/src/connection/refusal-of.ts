import type { ProblemCode } from "@svc/contract/problem";
import { problemSchema } from "@svc/contract/problem-schema";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readBody } from "./read-body.ts";

/** What an answer that the route does not define says, as the end of a command. */
export async function refusalOf(response: Response, url: URL): Promise<CommandFailure> {
  const { status } = response;
  const told = await problemOf(response);
  const where = `${url.origin}${url.pathname} was answered ${String(status)}`;
  if (told === null) return new CommandFailure(outcomeOf(status), where);
  const outcome = NOTHING_KNOWN.has(told.code) ? "unreachable" : outcomeOf(status);
  return new CommandFailure(outcome, `${told.text} (${where})`);
}

/** Nobody can say yet what became of the request. */
const NOTHING_KNOWN: ReadonlySet<ProblemCode> = new Set(["outcome_unknown", "request_in_flight"]);

function outcomeOf(status: number): Outcome {
  if (status === 401 || status === 403) return "refused";
  if (status === 400 || status === 422) return "usage";
  return status === 404 || status === 409 || status === 412 ? "failed" : "unreachable";
}

/** Null: something other than the service answered. */
async function problemOf(
  response: Response,
): Promise<{ readonly code: ProblemCode; readonly text: string } | null> {
  try {
    const problem = problemSchema.loose().safeParse(JSON.parse(await readBody(response)));
    if (!problem.success) return null;
    const { code, title, detail, errors = [] } = problem.data;
    const faults = errors.map(
      ({ pointer, expected, found }) => `${pointer}: expected ${expected}, found ${found}`,
    );
    return { code, text: [`${title}: ${detail}`, ...faults].join("\n") };
  } catch {
    return null;
  }
}
