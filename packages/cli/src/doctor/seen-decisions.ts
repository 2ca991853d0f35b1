import { setTimeout as delay } from "node:timers/promises";
import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";
import { followEvents } from "../connection/follow-events.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** Milliseconds after an answer in which its decision is in the stream. */
const WITHIN_MS = 2_000;

/** Milliseconds between two looks. */
const LOOK_MS = 20;

/** What the log says of a request. `none`: nobody asked the gateway. `unseen`: the log could not be read. */
export type SeenDecision = "allow" | "deny" | "pause" | "none" | "unseen";

const eventSchema = z.object({ row: z.object({ decision: z.enum(["allow", "deny", "pause"]) }) });

/** The decisions that are made while seams are probed. */
export class SeenDecisions {
  readonly #texts: string[] = [];
  readonly #over = new AbortController();
  #canSee = false;

  /** Resolves when the stream stands, or cannot be read. */
  static async open(connection: Connection): Promise<SeenDecisions> {
    const seen = new SeenDecisions();
    const standing = Promise.withResolvers<void>();
    void seen.#read(connection, () => standing.resolve()).finally(() => standing.resolve());
    await standing.promise;
    return seen;
  }

  /** The decision about the request that holds this name. */
  async about(name: string): Promise<SeenDecision> {
    const lastMs = performance.now() + WITHIN_MS;
    for (;;) {
      const text = this.#texts.find((one) => one.includes(name));
      if (text !== undefined) return eventSchema.parse(parseJson(text)).row.decision;
      if (!this.#canSee) return "unseen";
      if (performance.now() > lastMs) return "none";
      await delay(LOOK_MS);
    }
  }

  close(): void {
    this.#over.abort();
  }

  async #read(connection: Connection, onStanding: () => void): Promise<void> {
    const { signal } = this.#over;
    const onOpen = (): void => {
      this.#canSee = true;
      onStanding();
    };
    const onCut = (): void => {
      // What was decided meanwhile may be missing.
      this.#canSee = false;
    };
    try {
      const query = { kind: "decision" };
      for await (const { name, data } of followEvents(connection, { query, signal, onOpen, onCut }))
        if (name === "decision") this.#texts.push(data);
        else onCut();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#canSee = false;
    }
  }
}
