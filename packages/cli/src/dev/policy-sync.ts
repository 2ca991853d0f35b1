import type { PolicySummary } from "@svc/policy-analysis/check-document";
import { CommandFailure, EXIT_CODES } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type PolicyFile, readPolicyFile } from "../policy-files/read-policy-file.ts";
import { judgePolicyFile } from "../validate/validate.ts";
import type { FolderChange } from "./policy-folder.ts";
import type { PolicyInForce, PolicyNews } from "./policy-news.ts";
import type { PolicyStore } from "./policy-store.ts";

interface PolicySyncParts {
  readonly store: Pick<PolicyStore, "put" | "remove">;
  readonly terminal: Pick<Terminal, "workingDirectory" | "stdin">;
  readonly onNews: (news: PolicyNews) => void;
}

type Read =
  | {
      readonly kind: "policy";
      readonly policy: PolicySummary;
      readonly file: PolicyFile;
      readonly path: string;
    }
  | { readonly kind: "not_taken"; readonly path: string; readonly news: PolicyNews };

/**
 * Makes the policies of a server those of the files. A file that is refused changes nothing: the version
 * before it stays in force. The policy of a file that is gone governs no call any more.
 */
export class PolicySync {
  readonly #parts: PolicySyncParts;
  /** By path: what of it is in force, and its text. */
  readonly #inForce = new Map<string, PolicyInForce & { readonly file: PolicyFile }>();
  /** Files whose policy another file holds, by its id. */
  readonly #waiting = new Map<string, string>();

  constructor(parts: PolicySyncParts) {
    this.#parts = parts;
  }

  /** The files that are in force. */
  get files(): readonly PolicyFile[] {
    return Array.from(this.#inForce.values(), ({ file }) => file);
  }

  /** @throws CommandFailure `unreachable` or `refused` when the server does not answer as it must */
  async take({ written, removed }: FolderChange): Promise<void> {
    const read: Read[] = [];
    for (const path of written) read.push(await this.#read(path));
    for (const path of removed) if (!this.#move(path, read)) await this.#remove(path);
    for (const one of read) await (one.kind === "policy" ? this.#put(one) : this.#refuse(one));
  }

  async #read(path: string): Promise<Read> {
    const in_force = this.#held(path);
    try {
      const file = await readPolicyFile(path, this.#parts.terminal);
      const { checked, policy } = await judgePolicyFile(file);
      const { diagnostics } = checked;
      if (policy === null)
        return {
          kind: "not_taken",
          path,
          news: { event: "policy_refused", file: path, in_force, diagnostics },
        };
      return { kind: "policy", policy, file: { ...file }, path };
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const reason = error.message;
      return { kind: "not_taken", path, news: { event: "policy_not_taken", file: path, in_force, reason } };
    }
  }

  async #refuse({ path, news }: Extract<Read, { kind: "not_taken" }>): Promise<void> {
    this.#waiting.delete(path);
    this.#parts.onNews(news);
  }

  async #put({ policy, file, path }: Extract<Read, { kind: "policy" }>): Promise<void> {
    const before = this.#inForce.get(path);
    if (before?.file.source === file.source) return;
    const { id, agentId } = policy;
    const holder = [...this.#inForce].find(([other, held]) => other !== path && held.policy_id === id)?.[0];
    if (holder !== undefined) {
      this.#waiting.set(path, id);
      return this.#notTaken(path, `${holder} holds the policy ${id}, and one file holds a policy`);
    }
    if (before !== undefined && before.policy_id !== id) await this.#remove(path);
    try {
      const put = await this.#parts.store.put({ id, agentId, file });
      this.#inForce.set(path, { ...put, file });
      this.#waiting.delete(path);
      const { diagnostics: warnings } = (await judgePolicyFile(file)).checked;
      this.#parts.onNews({ event: "policy_loaded", file: path, ...put, agent_id: agentId, warnings });
    } catch (error) {
      if (!(error instanceof CommandFailure) || !isAboutTheFile(error)) throw error;
      this.#notTaken(path, error.message);
    }
  }

  /** A file that got another name keeps its policy in force. */
  #move(path: string, read: readonly Read[]): boolean {
    const held = this.#inForce.get(path);
    const now = read.find((one) => one.kind === "policy" && one.policy.id === held?.policy_id)?.path;
    if (held === undefined || now === undefined || this.#inForce.has(now)) return false;
    this.#inForce.delete(path);
    this.#inForce.set(now, held);
    return true;
  }

  async #remove(path: string): Promise<void> {
    const held = this.#inForce.get(path);
    this.#waiting.delete(path);
    this.#inForce.delete(path);
    if (held === undefined) return;
    const { policy_id } = held;
    await this.#parts.store.remove(policy_id);
    this.#parts.onNews({ event: "policy_removed", file: path, policy_id });
    const next = [...this.#waiting].find(([, id]) => id === policy_id)?.[0];
    if (next !== undefined) await this.take({ written: [next], removed: [] });
  }

  #notTaken(path: string, reason: string): void {
    const in_force = this.#held(path);
    this.#parts.onNews({ event: "policy_not_taken", file: path, in_force, reason });
  }

  #held(path: string): PolicyInForce | null {
    const held = this.#inForce.get(path);
    return held === undefined ? null : { policy_id: held.policy_id, version: held.version };
  }
}

/** Whether the server refused what the file says, and not everybody or everything. */
function isAboutTheFile({ exitCode }: CommandFailure): boolean {
  return exitCode === EXIT_CODES.failed || exitCode === EXIT_CODES.usage;
}
