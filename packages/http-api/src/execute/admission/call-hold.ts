import type { Problem } from "@svc/contract/problem";
import type { Admission, AdmittedBody, AdmittedCall } from "./admission.ts";

type Budgets = Pick<Admission, "takeBody" | "giveBody" | "takeAgent" | "giveAgent">;

/** What one request holds of the budgets of its caller and of its agent, until it is over. */
export class CallHold {
  readonly #budgets: Budgets;
  #body: AdmittedBody | null = null;
  #call: AdmittedCall | null = null;

  constructor(budgets: Budgets) {
    this.#budgets = budgets;
  }

  /** Counts the body of the request for its caller, or says why the request is refused. */
  takeBody(body: AdmittedBody): Problem | null {
    const refused = this.#budgets.takeBody(body);
    if (refused === null) this.#body = body;
    return refused;
  }

  /** Counts the call for its agent, in place of what it counted for before, or says why it is refused. */
  takeAgent(call: AdmittedCall): Problem | null {
    this.giveAgent();
    const refused = this.#budgets.takeAgent(call);
    if (refused === null) this.#call = call;
    return refused;
  }

  /** Called also while the request waits for something that its agent need not pay for. */
  giveAgent(): void {
    const call = this.#call;
    this.#call = null;
    if (call !== null) this.#budgets.giveAgent(call);
  }

  release(): void {
    this.giveAgent();
    const body = this.#body;
    this.#body = null;
    if (body !== null) this.#budgets.giveBody(body);
  }
}
