import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { POLICY_PROPAGATION_WAIT_MS, PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import type { ControlFollower } from "@svc/control-feed/control-follower";
import type { ProbeResult, ProbeTarget, Propagation } from "@svc/control-plane/propagation";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import type { Cluster, ClusterMember } from "@svc/store/ports/cluster";
import type { AcknowledgementBoard } from "./acknowledgement-board.ts";
import { type AskedOfGateways, type KnownEffect, mergeEffects } from "./cluster-question.ts";
import { gatherAcknowledgements } from "./gather-acknowledgements.ts";
import type { LivingMembers } from "./living-members.ts";

/** Milliseconds between reads of the database during a short wait, in case a notification was lost. */
const REFRESH_MS = 30;

/** The same during a wait of seconds. */
const SLOW_REFRESH_MS = 250;

export interface ClusterPropagationParts {
  readonly cluster: Pick<Cluster, "view" | "ask" | "answersTo">;
  readonly board: AcknowledgementBoard;
  readonly living: LivingMembers;
  readonly follower: Pick<ControlFollower, "wake">;
  readonly clock: MonotonicClock & WallClock;
}

/**
 * Propagation to every gateway that shares the database, this one included. A gateway counts only by what it
 * has written to the database. One that has not is listed as silent, and so is each one while the database
 * does not answer.
 */
export class ClusterPropagation implements Propagation {
  readonly #parts: ClusterPropagationParts;

  constructor(parts: ClusterPropagationParts) {
    this.#parts = parts;
  }

  announce(revision: number): Promise<readonly GatewayAcknowledgement[]> {
    return this.#awaitRevision(revision, PROPAGATION_WAIT_MS, decides);
  }

  /** Every process judges keys, also one that decides no calls. */
  announceKeyChange(revision: number, waitMs: number): Promise<readonly GatewayAcknowledgement[]> {
    return this.#awaitRevision(revision, waitMs, () => true);
  }

  async announcePolicyChange(revision: number): Promise<readonly GatewayAcknowledgement[]> {
    const asked = { kind: "policies", revision } as const;
    return (await this.#ask(asked, POLICY_PROPAGATION_WAIT_MS)).gateways;
  }

  async probe(target: ProbeTarget): Promise<ProbeResult> {
    const { gateways, texts } = await this.#ask({ kind: "effect", target }, PROPAGATION_WAIT_MS);
    return { gateways, ...mergeEffects(texts.map((text) => JSON.parse(text) as KnownEffect)) };
  }

  async #awaitRevision(
    revision: number,
    waitMs: number,
    counts: (member: ClusterMember) => boolean,
  ): Promise<readonly GatewayAcknowledgement[]> {
    const { cluster, board, living, follower, clock } = this.#parts;
    const startedMs = clock.nowMs();
    follower.wake();
    const heardBefore = board.heard;
    const { head, members } = await cluster.view();
    // A revision of 0 stands for everything that was committed before the call.
    const wanted = revision === 0 ? head : revision;
    board.replace(members, heardBefore);
    return gatherAcknowledgements({
      ids: living
        .of(members)
        .filter(counts)
        .map(({ id }) => id),
      isDone: (id) => board.appliedBy(id) >= wanted,
      nextChange: () => board.nextChange(),
      refresh: async () => {
        const before = board.heard;
        board.replace((await cluster.view()).members, before);
      },
      refreshEveryMs: waitMs > PROPAGATION_WAIT_MS ? SLOW_REFRESH_MS : REFRESH_MS,
      waitMs,
      startedMs,
      clock,
    });
  }

  async #ask(asked: AskedOfGateways, waitMs: number) {
    const { cluster, board, living, clock } = this.#parts;
    const startedMs = clock.nowMs();
    const id = randomId("ask");
    const question = { id, text: JSON.stringify(asked) };
    const answers = new Map<string, string>();
    const { members } = await cluster.view();
    const refresh = async (): Promise<void> => {
      for (const { memberId, text } of await cluster.answersTo(id)) answers.set(memberId, text);
    };
    // A read that fails acknowledges nothing. The next refresh reads again.
    const readAnswers = () => refresh().catch(() => undefined);
    board.openQuestion(id);
    try {
      await cluster.ask(question);
      const gateways = await gatherAcknowledgements({
        ids: living
          .of(members)
          .filter(decides)
          .map((member) => member.id),
        isDone: (member) => answers.has(member),
        nextChange: async () => ((await board.nextAnswer(id)) ? readAnswers() : undefined),
        refresh,
        refreshEveryMs: waitMs > PROPAGATION_WAIT_MS ? SLOW_REFRESH_MS : REFRESH_MS,
        waitMs,
        startedMs,
        clock,
      });
      return { gateways, texts: [...answers.values()] };
    } finally {
      board.closeQuestion(id);
    }
  }
}

function decides({ role }: ClusterMember): boolean {
  return role !== "control";
}
