/** One command of a page, and what the page shows as its answer. */
export interface DocumentStep {
  /** The text of a `sh` block. */
  readonly command: string;
  /** The word behind `sh`, such as `fails`; null: none. */
  readonly mark: string | null;
  /** The block that follows it directly; null: none. */
  readonly answer: { readonly kind: "json" | "text"; readonly text: string } | null;
}

const BLOCK = /^```([a-z]*)(?: ([a-z]+))?\n(.*?)^```$/gms;

/** The `sh` blocks of a page in order, each with the `json` or `text` block that follows directly. */
export function documentSteps(page: string): readonly DocumentStep[] {
  const blocks = [...page.matchAll(BLOCK)].map(([, kind = "", mark, text = ""]) => ({ kind, mark, text }));
  return blocks.flatMap(({ kind, mark = null, text: command }, index): DocumentStep[] => {
    if (kind !== "sh") return [];
    const next = blocks[index + 1];
    if (next === undefined || (next.kind !== "json" && next.kind !== "text"))
      return [{ command, mark, answer: null }];
    return [{ command, mark, answer: { kind: next.kind, text: next.text } }];
  });
}

const PLACEHOLDER = /\b(ks_|asg_|gw_|apr_|svc_|keys\/)\.\.\./g;

/** Ids that answers have shown, so that a page can write `ks_...` or `keys/...` for the newest. */
export class SeenIds {
  readonly #newest = new Map<string, string>();

  note(output: string): void {
    const fields = /"(?:kill_switch_id|id|decision_id)":"((ks_|asg_|gw_)[A-Za-z0-9.]+)"/g;
    for (const [, id = "", prefix = ""] of output.matchAll(fields)) {
      // The id of a gateway is not a decision id.
      if (prefix !== "gw_" || id.includes(".")) this.#newest.set(prefix, id);
    }
    for (const [, id = ""] of output.matchAll(/^switch +(ks_\w+)/gm)) this.#newest.set("ks_", id);
    for (const [, id = ""] of output.matchAll(/"approval_url":"[^"]*\/(apr_[\w-]+)"/g))
      this.#newest.set("apr_", id);
    for (const [, key = "", id = ""] of output.matchAll(/"key":"(svc_([a-z0-9]+)_[A-Za-z0-9]+)"/g))
      this.#newest.set("svc_", key).set("keys/", `keys/${id}`);
    // The bootstrap key is in each list of keys, and no route changes it.
    for (const [, id = ""] of output.matchAll(/"id":"([a-z0-9]+)"[^{}]*"origin":"managed"/g))
      this.#newest.set("keys/", `keys/${id}`);
  }

  /** @throws when the page uses an id that no answer has shown */
  fill(command: string): string {
    return command.replace(PLACEHOLDER, (_all, prefix: string) => {
      const id = this.#newest.get(prefix);
      if (id === undefined) throw new Error(`no answer has shown an id of the form ${prefix}...`);
      return id;
    });
  }
}

/**
 * Whether an answer holds what a page shows: objects may have more members, and a text with `...` stands for
 * every text with that beginning.
 */
export function showsAnswer(shown: unknown, found: unknown): boolean {
  if (typeof shown === "string" && shown.endsWith("..."))
    return typeof found === "string" && found.startsWith(shown.slice(0, -3));
  if (Array.isArray(shown)) {
    if (!Array.isArray(found) || found.length !== shown.length) return false;
    return shown.every((item, index) => showsAnswer(item, found[index]));
  }
  if (typeof shown !== "object" || shown === null) return shown === found;
  if (typeof found !== "object" || found === null) return false;
  const members = found as Readonly<Record<string, unknown>>;
  return Object.entries(shown).every(([name, value]) => showsAnswer(value, members[name]));
}
