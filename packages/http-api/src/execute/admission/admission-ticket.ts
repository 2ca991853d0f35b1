import type { Problem } from "@svc/contract/problem";
import type { Admission, AdmittedBody, AdmittedCall } from "./admission.ts";

type Budgets = Pick<Admission, "admitBody" | "releaseBody" | "admitAgent" | "releaseAgent">;

/** What one request holds of the budgets of its caller and of its agent, until it is over. */
export class AdmissionTicket {
  readonly #budgets: Budgets;
  #body: AdmittedBody | null = null;
  #call: AdmittedCall | null = null;

  constructor(budgets: Budgets) {
    this.#budgets = budgets;
  }

  /** Counts the body of the request for its caller, or says why the request is refused. */
  admitBody(body: AdmittedBody): Problem | null {
    const refused = this.#budgets.admitBody(body);
    if (refused === null) this.#body = body;
    return refused;
  }

  /** Counts the call for its agent, in place of what it counted for before, or says why it is refused. */
  admitAgent(call: AdmittedCall): Problem | null {
    this.releaseAgent();
    const refused = this.#budgets.admitAgent(call);
    if (refused === null) this.#call = call;
    return refused;
  }

  /** Called also while the request waits for something that its agent need not pay for. */
  releaseAgent(): void {
    const call = this.#call;
    this.#call = null;
    if (call !== null) this.#budgets.releaseAgent(call);
  }

  release(): void {
    this.releaseAgent();
    const body = this.#body;
    this.#body = null;
    if (body !== null) this.#budgets.releaseBody(body);
  }
}
