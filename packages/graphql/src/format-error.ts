import { problem } from "@svc/contract/problem";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { MAX_TOKENS } from "./limits.ts";
import { ProblemError } from "./problem-error.ts";

/** An error of execution in its wire form. A fault of the server shows nothing of itself. */
export function formatError(error: GraphQLError): GraphQLFormattedError {
  const { message, path, locations, extensions, originalError } = error;
  const cause = originalError ?? error;
  const own = { ...(locations && { locations }), ...(path && { path }) };
  if (cause instanceof ProblemError) return { message, ...own, extensions };
  const code = "internal_error";
  if (originalError === undefined || cause instanceof GraphQLError)
    return { message, ...own, extensions: { code } };
  return { message: "The server failed.", ...own, extensions: { code } };
}

/** An error of the document or its variables. */
export function invalid(error: GraphQLError): GraphQLFormattedError {
  const shown = error.toJSON();
  return { ...shown, extensions: { code: "invalid_request", ...shown.extensions } };
}

/** The refusal of a document with too many tokens; null for another error of its syntax. */
export function tooManyTokens({ message }: GraphQLError): GraphQLFormattedError | null {
  if (!message.includes("tokens. Parsing aborted")) return null;
  const detail =
    `The document is too large: expected at most ${String(MAX_TOKENS)} tokens (names, values and marks), ` +
    "found more. Ask for fewer fields, or split the document into several questions.";
  return formatError(new ProblemError(problem("too_much_work", detail)));
}
