import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { ControlSubscriber } from "../control-subscriber.ts";

/** Keeps the ids of the switches that are active, and what it was given. */
export class RecordingSubscriber implements ControlSubscriber {
  revision = 0;
  ids: readonly string[] = [];
  readonly given: string[] = [];
  /** Runs before anything is taken: throw to refuse it. */
  before: (what: string) => void = () => {};

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    let ids: readonly string[] = [];
    for (const { change } of changes) {
      ids = idsAfter(ids, change);
      yield;
    }
    this.#note(`snapshot ${String(revision)}`);
    this.ids = ids;
    this.revision = revision;
  }

  apply({ revision, change }: ControlEvent): void {
    this.#note(`event ${String(revision)}`);
    this.ids = idsAfter(this.ids, change);
    this.revision = revision;
  }

  #note(what: string): void {
    this.before(what);
    this.given.push(what);
  }
}

function idsAfter(ids: readonly string[], change: ControlEvent["change"]): readonly string[] {
  if (change.kind !== "kill_switch") return ids;
  const { kill_switch_id: id, status } = change.record;
  return ids.filter((other) => other !== id).concat(status === "active" ? [id] : []);
}
