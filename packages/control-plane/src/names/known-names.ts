import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import { LookAlikes } from "@svc/engine/look-alikes";
import type { ControlChange, ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";

/** Changes of a snapshot that are noted in one step, as count. */
const CHANGES_PER_STEP = 1_000;

/** What has a name: the scopes in which a registration is compared. */
export type NamedScope = "agent" | "namespace";

/** How a name came to be known. */
export type NameOrigin = "registered" | "bound" | "switched";

const ORIGINS: readonly NameOrigin[] = ["registered", "bound", "switched"];

/** A name that another one looks like. */
export interface KnownName {
  readonly name: string;
  readonly origin: NameOrigin;
}

interface Names {
  readonly agent: string | null;
  readonly namespace: string | null;
}

type Looks = Readonly<Record<NameOrigin, Readonly<Record<NamedScope, LookAlikes>>>>;

/**
 * The agents and namespaces of an organization that are registered, bound to a policy or stopped by a kill
 * switch, by what they look like.
 */
class OrgNames {
  readonly #looks: Looks = { registered: newLooks(), bound: newLooks(), switched: newLooks() };
  /** What each record names, by kind and id: a later change takes that back. */
  readonly #named = new Map<string, Names>();

  note(change: ControlChange): void {
    switch (change.kind) {
      case "agent": {
        const { id, namespace } = change.record;
        return this.#replace("registered", id, change.removed ? null : { agent: id, namespace });
      }
      case "assignment": {
        const { id, agent_id: agent, namespace_id: namespace } = change.record;
        return this.#replace("bound", id, change.removed ? null : { agent, namespace });
      }
      case "kill_switch": {
        const { kill_switch_id: id, scope, target_id: target, status } = change.record;
        const agent = scope === "agent" ? target : null;
        const namespace = scope === "namespace" ? target : null;
        return this.#replace("switched", id, status === "active" ? { agent, namespace } : null);
      }
      case "policy":
      case "key":
      case "severity":
        return;
    }
  }

  lookedLike(scope: NamedScope, name: string): KnownName | null {
    for (const origin of ORIGINS) {
      const other = this.#looks[origin][scope].find(name);
      if (other !== null) return { name: other, origin };
    }
    return null;
  }

  #replace(origin: NameOrigin, id: string, after: Names | null): void {
    const key = `${origin} ${id}`;
    const { agent, namespace } = this.#looks[origin];
    const before = this.#named.get(key) ?? NO_NAMES;
    if (after === null) this.#named.delete(key);
    else this.#named.set(key, after);
    move(agent, before.agent, after?.agent ?? null);
    move(namespace, before.namespace, after?.namespace ?? null);
  }
}

const NO_NAMES: Names = { agent: null, namespace: null };

function move(looks: LookAlikes, before: string | null, after: string | null): void {
  if (after !== null) looks.add(after);
  if (before !== null) looks.remove(before);
}

/**
 * Which names an operator has set up, for registrations of names that look like them. It follows control
 * state, so a registration that commits at the same moment may be missed: its calls are denied then.
 */
export class KnownNames implements ControlSubscriber {
  #orgs = new Map<string, OrgNames>();
  #revision = 0;

  get revision(): number {
    return this.#revision;
  }

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    const orgs = new Map<string, OrgNames>();
    for (const [at, { org, change }] of changes.entries()) {
      if (at % CHANGES_PER_STEP === 0) yield;
      namesOf(orgs, org).note(change);
    }
    yield;
    this.#orgs = orgs;
    this.#revision = revision;
  }

  apply({ revision, org, change }: ControlEvent): void {
    namesOf(this.#orgs, org).note(change);
    this.#revision = revision;
  }

  /** A known name that this one looks like without being it; null when there is none. */
  lookedLike(org: string, scope: NamedScope, name: string): KnownName | null {
    return this.#orgs.get(org)?.lookedLike(scope, name) ?? null;
  }
}

function newLooks(): Readonly<Record<NamedScope, LookAlikes>> {
  return { agent: new LookAlikes(), namespace: new LookAlikes() };
}

function namesOf(orgs: Map<string, OrgNames>, org: string): OrgNames {
  const known = orgs.get(org);
  if (known !== undefined) return known;
  const made = new OrgNames();
  orgs.set(org, made);
  return made;
}
