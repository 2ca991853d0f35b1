import type { Problem } from "@svc/contract/problem";
import { GraphQLError } from "graphql";

/** A refusal as the API gives it: what it says, with its code in `extensions.code`. */
export class ProblemError extends GraphQLError {
  constructor({ code, detail, errors }: Problem) {
    super(detail, { extensions: { code, ...(errors === undefined ? {} : { errors }) } });
  }
}
