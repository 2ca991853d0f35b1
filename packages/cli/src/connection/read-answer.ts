import type { JsonAnswerOf, RouteDefinition } from "@svc/api/route";
import { parseJson } from "@svc/text/parse-json";
import type { ZodError, ZodType } from "zod";
import { readBody } from "./read-body.ts";
import { ADDRESS_QUESTION, RequestFailure } from "./request-failure.ts";

/**
 * Reads an answer as its route describes it. Members that a later server has added are left out; what lacks
 * something is not an answer. @throws RequestFailure `unreachable`
 */
export async function readAnswer<Definition extends RouteDefinition>(
  { answers, method }: Definition,
  response: Response,
  url: URL,
): Promise<JsonAnswerOf<Definition>> {
  const { status } = response;
  const schema = answers[status]?.schema ?? null;
  if (schema === null)
    throw new Error(`${method} ${url.pathname} has no JSON answer of status ${String(status)}`);
  try {
    const body: unknown = parseKnown(schema, parseJson(await readBody(response)));
    // The schema of this status made the body.
    return { kind: "json", status, body } as JsonAnswerOf<Definition>;
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new RequestFailure(
      `${method} ${url.href} was answered ${String(status)} in a form that is not its own: ${why}; ` +
        `${ADDRESS_QUESTION} Does svc-cli have its version?`,
      { outcome: "unreachable", code: null, mayBeDone: true },
      error,
    );
  }
}

function parseKnown(schema: ZodType, value: unknown): unknown {
  const first = schema.safeParse(value);
  if (first.success) return first.data;
  if (first.error.issues.every(({ code }) => code === "unrecognized_keys")) {
    dropUnknown(value, first.error);
    const second = schema.safeParse(value);
    if (second.success) return second.data;
  }
  const [issue] = first.error.issues;
  throw new Error(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unreadable"}`);
}

function dropUnknown(value: unknown, { issues }: ZodError): void {
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const owner = issue.path.reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
      value,
    );
    if (typeof owner === "object" && owner !== null)
      for (const key of issue.keys) Reflect.deleteProperty(owner, key);
  }
}
