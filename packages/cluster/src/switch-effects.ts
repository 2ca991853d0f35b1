import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import { probeTarget } from "@svc/control-plane/probe-target";
import type { ProbeTarget } from "@svc/control-plane/propagation";
import type { Gateway } from "@svc/gateway/gateway";
import type { OwnAnswer } from "@svc/store/ports/cluster";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import { effectQuestionId, knownEffect } from "./cluster-question.ts";

/** Most switches whose effect is kept ready, as count. A process that lacks an older answer asks for it. */
const MAX_DUE = 100;

interface DueEffect {
  readonly revision: number;
  readonly questionId: string;
  readonly target: ProbeTarget;
}

/**
 * Answers whom a new switch affects before anybody asks: every activation asks it of every gateway, and a
 * question costs a gateway as much as the acknowledgement with which the answer goes. A switch that came with
 * a snapshot has no answer, and neither has one of an acknowledgement that failed.
 */
export class SwitchEffects implements ControlSubscriber {
  readonly #gateway: Pick<Gateway, "affected" | "sighting">;
  #revision = 0;
  #due: DueEffect[] = [];

  constructor(gateway: Pick<Gateway, "affected" | "sighting">) {
    this.#gateway = gateway;
  }

  get revision(): number {
    return this.#revision;
  }

  *load({ revision }: ControlSnapshot): Generator<undefined, void> {
    yield;
    this.#due = [];
    this.#revision = revision;
  }

  apply({ revision, org, change }: ControlEvent): void {
    this.#revision = revision;
    if (change.kind !== "kill_switch" || change.record.status !== "active") return;
    const questionId = effectQuestionId(change.record.kill_switch_id, revision);
    this.#due.push({ revision, questionId, target: probeTarget(org, change.record) });
    if (this.#due.length > MAX_DUE) this.#due.shift();
  }

  /** The answers for switches up to a revision that is enforced here. Each is given once. */
  answersUpTo(revision: number): readonly OwnAnswer[] {
    const enforced = this.#due.filter((each) => each.revision <= revision);
    this.#due = this.#due.filter((each) => each.revision > revision);
    return enforced.map(({ questionId, target }) => ({
      questionId,
      text: JSON.stringify(knownEffect(this.#gateway, target)),
    }));
  }
}
