import type { TraceParent } from "@svc/contract/trace-parent";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What a span is about, as its beginning knows it. */
export interface SpanStart {
  /** One of few: names of agents, tools and records belong to the attributes. */
  readonly name: string;
  /** `server`: serves a request. `client`: asks another process. */
  readonly kind: "server" | "client";
  /** Null: the span begins a trace. */
  readonly parent: TraceParent | null;
}

/** One piece of work that is measured. */
export interface Span {
  /** The span as the place in a trace from which its own work is done. */
  readonly trace: TraceParent;
  /**
   * Ends the span. To be called once. Never throws.
   * @param describe called when the span is recorded, and only then
   */
  end(describe: () => SpanEnd): void;
}

export interface SpanEnd {
  readonly attributes: SpanAttributes;
  /** Why the work failed; null when it did not. A deny by a policy is not a failure. */
  readonly fault: string | null;
}

/** Spans of this process. What it says never changes what the process decides. */
export interface Telemetry {
  /** Never throws. Null: nothing is measured, and the caller's own trace goes on. */
  begin(start: SpanStart): Span | null;
  /** Sends what was measured, within seconds. */
  close(): Promise<void>;
}
