import { setTimeout as delay } from "node:timers/promises";
import { assignmentRoutes } from "@svc/api/assignment-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import { policyStateRoutes } from "@svc/api/policy-state-routes";
import { type ControlClient, everyPage } from "../connection/control-client.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";
import type { PolicyInForce } from "./policy-news.ts";

/** Changes that the server takes at once from one key, as count, and milliseconds between later ones. */
const BURST = 250;
const PAUSE_MS = 60;

const FIRST_VERSION = 1;

/** A policy that a file holds. */
export interface PolicyToPut {
  readonly id: string;
  readonly agentId: string | null;
  readonly file: Pick<PolicyFile, "source" | "mediaType">;
}

/** What this process knows of a policy of the server. */
interface Known {
  readonly isEnabled: boolean;
  /** Undefined: an earlier run has bound it. */
  readonly agentId: string | null | undefined;
}

/** The policies of the server, which follow the files of a folder. */
export class PolicyStore {
  readonly #client: ControlClient;
  readonly #known = new Map<string, Known>();
  #changes = 0;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** Learns which policies there are, from an earlier run on the same data. */
  async open(): Promise<void> {
    const pages = everyPage((cursor) => this.#client.ask(policyRoutes.listPolicies, { query: { cursor } }));
    for await (const { policies } of pages)
      for (const { id } of policies) this.#known.set(id, { isEnabled: false, agentId: undefined });
  }

  /** Puts a version into force, for the agent that the document names and for no other one. */
  async put({ id, agentId, file }: PolicyToPut): Promise<PolicyInForce> {
    await this.#pace();
    const known = this.#known.get(id);
    const version =
      known === undefined ? await this.#create(file) : await this.#update({ id, agentId, file }, known);
    this.#known.set(id, { isEnabled: true, agentId });
    return { policy_id: id, version };
  }

  /** Denies what the policy governs, and then takes it off its agent, so that another one can be bound. */
  async remove(id: string): Promise<void> {
    await this.#pace();
    await this.#client.ask(policyStateRoutes.disablePolicy, { params: { policy_id: id }, body: {} });
    await this.#unbind(id, () => true);
    this.#known.set(id, { isEnabled: false, agentId: null });
  }

  async #create(document: PolicyToPut["file"]): Promise<number> {
    const { body } = await this.#client.ask(policyRoutes.createPolicy, { document });
    return "version" in body ? body.version : FIRST_VERSION;
  }

  /** A document that names another agent is refused until the policy is bound to it. */
  async #update({ id, agentId, file }: PolicyToPut, known: Known): Promise<number> {
    const params = { policy_id: id };
    const isMoved = known.agentId !== agentId;
    // No call of the new agent may be decided by the old version.
    if (isMoved && known.isEnabled)
      await this.#client.ask(policyStateRoutes.disablePolicy, { params, body: {} });
    if (isMoved) await this.#bind(id, agentId);
    const { body } = await this.#client.ask(policyRoutes.updatePolicy, { document: file, params });
    if (isMoved || !known.isEnabled)
      await this.#client.ask(policyStateRoutes.enablePolicy, { params, body: {} });
    return "version" in body ? body.version : FIRST_VERSION;
  }

  async #bind(id: string, agentId: string | null): Promise<void> {
    const isBound = await this.#unbind(id, (bound) => bound !== agentId);
    if (agentId === null || isBound) return;
    const body = { policy_id: id, agent_id: agentId };
    await this.#client.ask(assignmentRoutes.assignPolicy, { body });
  }

  /** @returns whether an assignment to an agent is left. */
  async #unbind(id: string, isWrong: (agentId: string | null) => boolean): Promise<boolean> {
    const query = { policy_id: id };
    const { body } = await this.#client.ask(assignmentRoutes.listAssignments, { query });
    const wrong = body.policy_assignments.filter(({ agent_id }) => isWrong(agent_id));
    for (const { id: assignment_id } of wrong)
      await this.#client.ask(assignmentRoutes.unassignPolicy, { params: { assignment_id } });
    return wrong.length < body.policy_assignments.length;
  }

  /** Stays below the rate that the server takes, whatever the size of the folder. */
  async #pace(): Promise<void> {
    this.#changes += 1;
    if (this.#changes > BURST) await delay(PAUSE_MS);
  }
}
