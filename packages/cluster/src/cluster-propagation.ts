import { setTimeout as delay } from "node:timers/promises";
import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { POLICY_PROPAGATION_WAIT_MS, PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import type { ControlFollower } from "@svc/control-feed/control-follower";
import { SharedRun } from "@svc/control-feed/shared-run";
import type {
  CommittedActivation,
  ProbeResult,
  ProbeTarget,
  Propagation,
  SwitchPropagation,
} from "@svc/control-plane/propagation";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import type { Cluster, ClusterMember, ClusterView } from "@svc/store/ports/cluster";
import { parseJson } from "@svc/text/parse-json";
import {
  type AskedOfGateways,
  effectQuestionId,
  type KnownEffect,
  mergeEffects,
} from "./cluster-question.ts";
import { gatherAcknowledgements } from "./gather-acknowledgements.ts";
import type { LiveMembers } from "./live-members.ts";

/** Milliseconds after which a question without every answer is asked again: it may have been lost. */
const ASK_AGAIN_MS = 250;

/** Milliseconds from a first read that failed to the next: a connection that broke is replaced meanwhile. */
const FIRST_READ_PAUSE_MS = 10;

export interface ClusterPropagationParts {
  readonly cluster: Pick<Cluster, "view" | "caughtUp" | "ask" | "answersTo">;
  readonly living: LiveMembers;
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
  readonly #reads = new SharedRun(async () => {
    this.#view = await this.#parts.cluster.view();
  });
  #view: ClusterView = { nowMs: 0, head: 0, members: [] };

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

  async probePolicy(org: string, id: string): Promise<readonly GatewayAcknowledgement[]> {
    return (await this.#ask({ kind: "policy", org, id }, POLICY_PROPAGATION_WAIT_MS)).gateways;
  }

  async probe(target: ProbeTarget): Promise<ProbeResult> {
    const { gateways, texts } = await this.#ask({ kind: "effect", target }, PROPAGATION_WAIT_MS);
    return probeResult(gateways, texts);
  }

  announceSwitch({ killSwitchId, revision, target }: CommittedActivation): SwitchPropagation {
    const { cluster, living, follower, clock } = this.#parts;
    const startedMs = clock.nowMs();
    const wait = { waitMs: PROPAGATION_WAIT_MS, startedMs, clock };
    const asked: AskedOfGateways = { kind: "effect", target, revision };
    const question = { id: effectQuestionId(killSwitchId, revision), text: JSON.stringify(asked) };
    const answers = new Map<string, string | null>();
    const read = async (): Promise<void> => {
      for (const { memberId, text } of await cluster.caughtUp(revision, question.id))
        answers.set(memberId, text);
    };
    follower.wake(revision);
    const deciding = this.#firstView(startedMs + PROPAGATION_WAIT_MS).then(({ members }) =>
      living.of(members).filter(decides),
    );
    const gathered = deciding.then((members) => members.map(({ id }) => id));
    const acknowledged = gathered.then((ids) =>
      gatherAcknowledgements({ ids, isDone: (id) => answers.has(id), read, ...wait }),
    );
    const probed = acknowledged.then(async () => {
      const ids = await gathered;
      const isAnswered = (id: string): boolean => typeof answers.get(id) === "string";
      // A gateway of an earlier version answers only when it is asked, and one may have read a snapshot.
      if (ids.some((id) => answers.get(id) === null)) await cluster.ask(question);
      const gateways = await gatherAcknowledgements({ ids, isDone: isAnswered, read, ...wait });
      return probeResult(
        gateways,
        ids.flatMap((id) => answers.get(id) ?? []),
      );
    });
    return { acknowledged, probed };
  }

  async #awaitRevision(
    revision: number,
    waitMs: number,
    counts: (member: ClusterMember) => boolean,
  ): Promise<readonly GatewayAcknowledgement[]> {
    const { living, follower, clock } = this.#parts;
    const startedMs = clock.nowMs();
    follower.wake(revision === 0 ? null : revision);
    let view = await this.#firstView(startedMs + waitMs);
    // A revision of 0 stands for everything that was committed before the call.
    const wanted = revision === 0 ? view.head : revision;
    const ids = living
      .of(view.members)
      .filter(counts)
      .map(({ id }) => id);
    return gatherAcknowledgements({
      ids,
      isDone: (id) => view.members.some((member) => member.id === id && member.applied >= wanted),
      read: async () => {
        view = await this.#readView();
      },
      waitMs,
      startedMs,
      clock,
    });
  }

  async #ask(asked: AskedOfGateways, waitMs: number) {
    const { cluster, living, clock } = this.#parts;
    const startedMs = clock.nowMs();
    const id = randomId("ask");
    const answers = new Map<string, string>();
    const question = { id, text: JSON.stringify(asked) };
    const { members } = await this.#firstView(startedMs + waitMs);
    const ids = living
      .of(members)
      .filter(decides)
      .map((member) => member.id);
    let askedMs = clock.nowMs();
    await cluster.ask(question);
    const gateways = await gatherAcknowledgements({
      ids,
      isDone: (member) => answers.has(member),
      read: async () => {
        for (const { memberId, text } of await cluster.answersTo(id)) answers.set(memberId, text);
        if (clock.nowMs() - askedMs < ASK_AGAIN_MS || ids.every((member) => answers.has(member))) return;
        askedMs = clock.nowMs();
        await cluster.ask(question);
      },
      waitMs,
      startedMs,
      clock,
    });
    return { gateways, texts: [...answers.values()] };
  }

  /** Without it nobody knows whom to wait for. @throws when every read until `endMs` fails */
  async #firstView(endMs: number): Promise<ClusterView> {
    for (;;) {
      try {
        return await this.#readView();
      } catch (error) {
        if (this.#parts.clock.nowMs() + FIRST_READ_PAUSE_MS >= endMs) throw error;
        await delay(FIRST_READ_PAUSE_MS);
      }
    }
  }

  /** What the database holds at a moment after the call. Those who wait at once share reads. */
  async #readView(): Promise<ClusterView> {
    await this.#reads.run();
    return this.#view;
  }
}

function probeResult(gateways: readonly GatewayAcknowledgement[], texts: readonly string[]): ProbeResult {
  return { gateways, ...mergeEffects(texts.map((text) => parseJson(text) as KnownEffect)) };
}

function decides({ role }: ClusterMember): boolean {
  return role !== "control";
}
