import { hostname } from "node:os";
import { faultFields } from "@svc/contract/fault-fields";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { processSignsSchema } from "@svc/contract/process-signs";
import type { ControlFollower } from "@svc/control-feed/control-follower";
import type { ObservedProcess } from "@svc/control-plane/alert-facts";
import type { AcknowledgementReader } from "@svc/control-plane/containment";
import type { GatewayDirectory } from "@svc/control-plane/ports";
import type { Propagation } from "@svc/control-plane/propagation";
import type { Gateway } from "@svc/gateway/gateway";
import { systemClock } from "@svc/process/clock";
import { createLimitedWarnings, type Warn } from "@svc/process/limited-warnings";
import { VERSION } from "@svc/process/version";
import {
  type Cluster,
  type ClusterListener,
  type ClusterQuestion,
  type ClusterView,
  type OwnAnswer,
  type ProcessRole,
  TooManyMembersError,
} from "@svc/store/ports/cluster";
import type { Leadership } from "@svc/store/ports/leadership";
import { parseJson } from "@svc/text/parse-json";
import type { Logger } from "pino";
import { ClusterPropagation } from "./cluster-propagation.ts";
import { answerQuestion } from "./cluster-question.ts";
import type { DecisionRate } from "./decision-rate.ts";
import { gatewayRecords } from "./gateway-records.ts";
import { HeadSightings } from "./head-sightings.ts";
import { LiveMembers } from "./live-members.ts";
import { type MemberState, Membership } from "./membership.ts";
import { SwitchEffects } from "./switch-effects.ts";

/** Milliseconds between looks at the other processes, so that it is known which of them live. */
const LOOK_INTERVAL_MS = 1_000;

/** Milliseconds between two removals of old answers, by each process that asks. */
const FORGET_ANSWERS_MS = 60_000;

export interface ClusterNodeOptions {
  /** The id of this process, which is that of its log. */
  readonly id: string;
  readonly cluster: Cluster;
  readonly role: ProcessRole;
  readonly decisions: DecisionRate;
  readonly log: Logger;
}

export interface NodeParts extends MemberState {
  readonly follower: ControlFollower;
  /** Null: this process decides no calls. */
  readonly gateway: Gateway | null;
}

/** This process among those that share its database: a member that follows, acknowledges and answers. */
export class ClusterNode {
  readonly #options: ClusterNodeOptions;
  /** Questions that are being answered. A repeat of one of them waits for the same answer. */
  readonly #answering = new Set<string>();
  readonly #sightings = new HeadSightings(systemClock, CONTROL_LEASE_MS);
  readonly living = new LiveMembers(systemClock);
  readonly membership: Membership;
  readonly #warn: Warn;
  #timer: NodeJS.Timeout | null = null;
  #leadership: Leadership | null = null;
  #led = false;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ClusterNodeOptions) {
    this.#options = options;
    const { cluster, role, decisions, log } = options;
    this.#warn = createLimitedWarnings(log);
    const startedAt = systemClock.now().toISOString();
    this.membership = new Membership({
      cluster,
      facts: { host: hostname(), version: VERSION, role, startedAt },
      clock: systemClock,
      log,
      decisions,
    });
  }

  /** Call it before the first read of control state. What is read before others know of us proves nothing. */
  async join(): Promise<void> {
    await this.membership.join();
  }

  /** Acknowledges and answers for these parts from now on. */
  start(parts: NodeParts): void {
    const { cluster, role } = this.#options;
    const { follower, gateway } = parts;
    const listener: ClusterListener = {
      onChange: (revision) => follower.wake(revision),
      onQuestion: (question) => void this.#answer(gateway, question),
    };
    cluster.listen(listener, role);
    this.membership.track({ ...parts, answersUpTo: this.#answersOf(parts) });
    this.#timer = setInterval(() => void this.#look(), LOOK_INTERVAL_MS);
  }

  #answersOf({ follower, gateway }: NodeParts): (revision: number) => readonly OwnAnswer[] {
    if (gateway === null) return () => [];
    const effects = new SwitchEffects(gateway);
    const consequence = "whom new kill switches affect is answered only when this gateway is asked";
    follower.subscribe(effects, { name: "effects of kill switches", consequence });
    return (revision) => effects.answersUpTo(revision);
  }

  /** Begins to stand for the work of one process. @returns whether this process has the lead */
  campaign(): () => boolean {
    const leadership = this.#options.cluster.lead();
    this.#leadership = leadership;
    return () => leadership.isLeader;
  }

  propagation(follower: ControlFollower): Propagation {
    const { cluster } = this.#options;
    const seen = {
      view: () => this.#view(),
      ask: (question: ClusterQuestion) => cluster.ask(question),
      answersTo: (questionId: string) => cluster.answersTo(questionId),
      caughtUp: (revision: number, questionId: string) => cluster.caughtUp(revision, questionId),
    };
    return new ClusterPropagation({ cluster: seen, living: this.living, follower, clock: systemClock });
  }

  readonly directory: GatewayDirectory = {
    list: async () => {
      const view = await this.#view();
      return gatewayRecords(view, this.living.of(view.members));
    },
  };

  /** Tells the process that leads how this one is. Rejects when the store does not answer. */
  async saySigns(text: string): Promise<void> {
    await this.#options.cluster.saySigns(text);
  }

  /** Every process of the database with what it has said of its health. Rejects when that cannot be read. */
  async processes(): Promise<readonly ObservedProcess[]> {
    const { cluster } = this.#options;
    const [view, said] = await Promise.all([this.#view(), cluster.signs()]);
    const living = new Set(this.living.of(view.members).map(({ id }) => id));
    const texts = new Map(said.map(({ memberId, text }) => [memberId, text]));
    return view.members.map(({ id, host, role }) => {
      const text = texts.get(id);
      const signs = text === undefined ? null : processSignsSchema.parse(parseJson(text));
      return { id, host, isGateway: role !== "control", isLiving: living.has(id), signs };
    });
  }

  /** Every member of the database is listed, also those that nobody waits for any more. */
  readonly acknowledgements: AcknowledgementReader = {
    reach: async (org, { record }) => {
      const { id: issuer, cluster } = this.#options;
      const reach = await cluster.reach(org, record.kill_switch_id);
      this.#sightings.note(reach.head);
      const leaseLeftMs = (revision: number) => this.#sightings.leaseLeftMs(revision);
      return { ...reach, clock: "database", issuer, leaseLeftMs };
    },
  };

  async #view(): Promise<ClusterView> {
    const view = await this.#options.cluster.view();
    this.#sightings.note(view.head);
    return view;
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#leadership?.close();
    await this.membership.close();
  }

  /** A look that fails changes nothing: what was seen before ages by itself. */
  async #look(): Promise<void> {
    this.#noteLead(this.#leadership?.isLeader ?? false);
    const { cluster } = this.#options;
    try {
      const view = await this.#view();
      this.living.of(view.members);
      const silent = this.living.forgettable();
      if (silent.length > 0) await cluster.forget(silent);
    } catch (error) {
      if (error instanceof TooManyMembersError) await this.#makeRoom(error);
    }
    await this.#forgetAnswers();
  }

  async #makeRoom(found: TooManyMembersError): Promise<void> {
    this.#warn("members", faultFields(found), "activations of kill switches cannot wait for gateways");
    await this.#options.cluster.forgetSilent().catch(() => undefined);
  }

  async #forgetAnswers(): Promise<void> {
    const { role, cluster } = this.#options;
    const nowMs = systemClock.nowMs();
    if (role === "gateway" || nowMs - this.#forgotAtMs < FORGET_ANSWERS_MS) return;
    this.#forgotAtMs = nowMs;
    await cluster.forgetAnswers().catch(() => undefined);
  }

  #noteLead(leads: boolean): void {
    if (leads === this.#led) return;
    this.#led = leads;
    this.#options.log.info({}, leads ? "this process leads" : "this process no longer leads");
  }

  /** A question without an answer counts as silence. */
  async #answer(gateway: Gateway | null, { id, text }: ClusterQuestion): Promise<void> {
    if (gateway === null || this.#answering.has(id)) return;
    this.#answering.add(id);
    try {
      const answer = await answerQuestion(gateway, text);
      if (answer !== null) await this.#options.cluster.answer(id, answer);
    } catch (error) {
      this.#options.log.warn(faultFields(error), "a question of another process stays without an answer");
    } finally {
      this.#answering.delete(id);
    }
  }
}
