import type { Principal } from "@svc/contract/principal";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { SharedTurns } from "@svc/process/shared-turns";

type DocumentPorts = Pick<ControlPlanePorts, "documents" | "guardrailChecks" | "simulations">;

/**
 * The thread takes one order at a time; a second turn lets the next organization's order wait there. An
 * order takes 2 s at worst and is given up after 10 s. Tools for infrastructure change ten resources at
 * once. A body has up to 256 KiB, so the orders of a key hold at most 4 MiB, and all of them 64 MiB.
 */
const TURNS = { turns: 2, waitMs: 30_000, ofKey: 16, most: 256 };

/**
 * The threads that read policy documents, shared out: organizations take turns, and one API key has a few
 * orders at a time. Otherwise one author with slow documents would keep every other organization from
 * changing its policies.
 */
export class DocumentWork {
  readonly #ports: DocumentPorts;
  readonly #checks = new SharedTurns({ label: "the thread that reads policies", ...TURNS });
  readonly #trials = new SharedTurns({ label: "the thread that simulates", ...TURNS });

  constructor(ports: DocumentPorts) {
    this.#ports = ports;
  }

  /** The ports for the requests of one key. They reject when the key asks for too much at once. */
  of({ org, id }: Pick<Principal, "org" | "id">): DocumentPorts {
    const { documents, guardrailChecks, simulations } = this.#ports;
    const holder = { org, key: id };
    const check = <Reply>(order: () => Promise<Reply>) => this.#checks.run(holder, order);
    const trial = <Reply>(order: () => Promise<Reply>) => this.#trials.run(holder, order);
    return {
      documents: { check: (text) => check(() => documents.check(text)) },
      guardrailChecks: {
        readGuardrail: (source) => check(() => guardrailChecks.readGuardrail(source)),
        tryGuardrail: (guardrail, text) => check(() => guardrailChecks.tryGuardrail(guardrail, text)),
      },
      simulations: {
        read: (body) => trial(() => simulations.read(body)),
        simulate: (simulation) => trial(() => simulations.simulate(simulation)),
        explain: (decision) => trial(() => simulations.explain(decision)),
        diff: (before, after) => trial(() => simulations.diff(before, after)),
      },
    };
  }
}
