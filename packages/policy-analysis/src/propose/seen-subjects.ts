import { nearestName } from "@svc/text/nearest-name";
import type { SurveyScope } from "./seen-tool.ts";

/** Most names that are kept for a suggestion, as count. */
const MAX_NAMES = 10_000;

/** The agents or namespaces about whose calls rows of the range decided. */
export class SeenSubjects {
  readonly #names = new Set<string>();

  note(name: string): void {
    if (this.#names.size < MAX_NAMES) this.#names.add(name);
  }

  /** Why a proposal allows nothing. A misspelt name is the likely cause when no call was decided. */
  warning({ agentId, namespace, since, until }: SurveyScope): string {
    const name = agentId ?? namespace ?? "";
    const calls = agentId === null ? `in namespace ${name}` : `of agent ${name}`;
    const range = `from ${since} to ${until}`;
    if (this.#names.has(name))
      return `No call ${calls} ran ${range}. Those that were decided were denied, paused or not executed.`;
    const nearest = nearestName(name, this.#names);
    return `No call ${calls} was decided ${range}.${nearest === null ? "" : ` Did you mean ${nearest}?`}`;
  }
}
