import { problemsOf } from "@svc/api/common-problems";
import type { RouteDefinition } from "@svc/api/route";
import { NOTHING_CHANGED, type Problem, type ProblemCode, type ProblemEntry } from "@svc/contract/problem";
import { problemSchema } from "@svc/contract/problem-schema";
import { isUnknownRoute } from "@svc/contract/unknown-route";
import { parseJson } from "@svc/text/parse-json";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { inCommands } from "./in-commands.ts";
import { readBody } from "./read-body.ts";

/** What is known about a request that did not succeed. */
interface FailureFacts {
  readonly outcome: Outcome;
  /** The code of the service's own refusal. Null: something else answered, or nothing did. */
  readonly code: ProblemCode | null;
  /** False is certain: the server has not carried the request out. */
  readonly mayBeDone: boolean;
}

/** A request that was refused, or that nobody answered in its own form. */
export class RequestFailure extends CommandFailure implements FailureFacts {
  readonly code: ProblemCode | null;
  readonly mayBeDone: boolean;

  constructor(message: string, { outcome, code, mayBeDone }: FailureFacts, cause?: unknown) {
    super(outcome, message, cause);
    this.code = code;
    this.mayBeDone = mayBeDone;
  }

  /** The same failure of a later attempt. What an earlier one may have done stays. */
  after(earlierMayBeDone: boolean): RequestFailure {
    if (!earlierMayBeDone || this.mayBeDone) return this;
    return new RequestFailure(this.message, { ...this.facts(), mayBeDone: true }, this.cause);
  }

  /** The same failure in other words. */
  saying(message: string): RequestFailure {
    return new RequestFailure(message, this.facts(), this);
  }

  facts(): FailureFacts {
    const { outcome, code, mayBeDone } = this;
    return { outcome, code, mayBeDone };
  }
}

/** What to ask oneself when an answer is not one of svc-server. */
export const ADDRESS_QUESTION = "is this the address of svc-server?";

/** What an answer that the route does not define says. */
export async function refusalOf(
  response: Response,
  definition: RouteDefinition,
  url: URL,
): Promise<RequestFailure> {
  const { status } = response;
  const where = `${definition.method} ${url.origin}${url.pathname} was answered ${String(status)}`;
  const told = await problemOf(response);
  if (told === null)
    return new RequestFailure(`${where}${otherServer(response, url)}`, {
      outcome: status === 401 || status === 403 ? "refused" : "unreachable",
      code: null,
      // What passes requests on may have lost the answer. Otherwise it refuses them itself.
      mayBeDone: status >= 500,
    });
  const { title, detail, errors } = told;
  const faults = errors
    .map(({ pointer, expected, found }) => `${pointer}: expected ${expected}, found ${found}`)
    .filter((fault) => !detail.includes(fault));
  const facts = factsOf(told, definition);
  const hint = facts.outcome === "unreachable" && status === 404 ? `; ${ADDRESS_QUESTION}` : "";
  const text = [`${title}: ${inCommands(detail)}`, ...faults].join("\n");
  return new RequestFailure(`${text} (${where}${hint})`, facts);
}

/** Nobody can say yet what became of the request. */
const NOTHING_KNOWN: ReadonlySet<ProblemCode> = new Set(["outcome_unknown", "request_in_flight"]);

/** The server was too busy to begin. */
const NOT_BEGUN: ReadonlySet<ProblemCode> = new Set(["overloaded", "compiler_unavailable"]);
type Told = Pick<Problem, "code" | "status" | "title" | "detail"> & {
  readonly errors: readonly Pick<ProblemEntry, "pointer" | "expected" | "found">[];
};

function factsOf(told: Told, definition: RouteDefinition): FailureFacts {
  const { code, status, detail } = told;
  const mayBeDone =
    NOTHING_KNOWN.has(code) || (status >= 500 && !NOT_BEGUN.has(code) && !detail.includes(NOTHING_CHANGED));
  // A server of another kind has other routes.
  const isOfRoute = problemsOf(definition).includes(code) && !isUnknownRoute(told);
  const outcome = outcomeOf(status);
  const isAnswered = !NOTHING_KNOWN.has(code) && (outcome !== "failed" || isOfRoute);
  return { outcome: isAnswered ? outcome : "unreachable", code, mayBeDone };
}

function outcomeOf(status: number): Outcome {
  if (status === 401 || status === 403) return "refused";
  if (status === 400 || status === 413 || status === 415 || status === 422) return "usage";
  return status === 404 || status === 409 || status === 412 ? "failed" : "unreachable";
}

/** Null: something other than the service answered. */
async function problemOf(response: Response): Promise<Told | null> {
  try {
    const problem = problemSchema.loose().safeParse(parseJson(await readBody(response)));
    if (!problem.success) return null;
    const { code, status, title, detail, errors = [] } = problem.data;
    return { code, status, title, detail, errors };
  } catch {
    return null;
  }
}

function otherServer(response: Response, url: URL): string {
  const to = response.headers.get("location");
  const isRedirect = response.status >= 300 && response.status <= 399 && to !== null;
  const place = isRedirect && URL.canParse(to, url.href) ? new URL(to, url).origin : "";
  if (place !== "")
    return `, a redirect to ${place}, which svc-cli does not follow with the key; ${ADDRESS_QUESTION}`;
  return `, not in a form of the service: ${ADDRESS_QUESTION}`;
}
