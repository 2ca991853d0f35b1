import type { ProblemCode } from "@svc/contract/problem";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";

/** What is known about a request that did not succeed. */
export interface FailureFacts {
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
