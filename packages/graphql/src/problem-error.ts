import type { Problem } from "@svc/contract/problem";
import { type ASTNode, GraphQLError } from "graphql";

/** A refusal as the API gives it: what it says, with its code in `extensions.code`. */
export class ProblemError extends GraphQLError {
  constructor({ code, detail, errors }: Problem, nodes: ASTNode | null = null) {
    super(detail, { nodes, extensions: { code, ...(errors === undefined ? {} : { errors }) } });
  }
}
