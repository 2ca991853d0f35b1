import { problemSchema } from "@svc/contract/problem-schema";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readBody } from "./read-body.ts";

/** What an answer that the route does not define says, as the end of a command. */
export async function refusalOf(response: Response, url: URL): Promise<CommandFailure> {
  const { status } = response;
  const told = await detailOf(response);
  const where = `${url.origin}${url.pathname} was answered ${String(status)}`;
  return new CommandFailure(outcomeOf(status), told === null ? where : `${told} (${where})`);
}

function outcomeOf(status: number): Outcome {
  if (status === 401 || status === 403) return "refused";
  if (status === 400 || status === 422) return "usage";
  return status === 404 || status === 409 || status === 412 ? "failed" : "unreachable";
}

/** Null: something other than the service answered. */
async function detailOf(response: Response): Promise<string | null> {
  try {
    const problem = problemSchema.loose().safeParse(JSON.parse(await readBody(response)));
    if (!problem.success) return null;
    const { title, detail, errors = [] } = problem.data;
    const faults = errors.map(
      ({ pointer, expected, found }) => `${pointer}: expected ${expected}, found ${found}`,
    );
    return [`${title}: ${detail}`, ...faults].join("\n");
  } catch {
    return null;
  }
}
