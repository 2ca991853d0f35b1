import type { Metric, Registry } from "prom-client";

export interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds of the buckets in seconds, ascending. */
  readonly bucketsS: readonly number[];
  readonly registry: Registry;
}

/**
 * A histogram without labels that costs a call a few additions. prom-client's own looks up its counts by a
 * hash of the labels, and a bucket by its text, at each observation. Here names are made at a scrape.
 */
export class DurationHistogram {
  readonly #options: DurationHistogramOptions;
  /** Observations in each bucket alone. The last ones are above every bound. */
  readonly #counts: number[];
  #sumS = 0;

  constructor(options: DurationHistogramOptions) {
    const { name, help, bucketsS, registry } = options;
    this.#options = options;
    this.#counts = Array.from({ length: bucketsS.length + 1 }, () => 0);
    const shown = { name, help, type: "histogram", aggregator: "sum" };
    const metric = { ...shown, get: async () => ({ ...shown, values: this.#values() }) };
    // A registry asks a metric for its name and for its values, whichever class it is of.
    registry.registerMetric(metric as unknown as Metric);
  }

  observe(seconds: number): void {
    const { bucketsS } = this.#options;
    let at = 0;
    while (at < bucketsS.length && seconds > (bucketsS[at] ?? 0)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sumS += seconds;
  }

  /** Each bucket counts what those below it count, too. */
  #values(): readonly object[] {
    const { name, bucketsS } = this.#options;
    let count = 0;
    const buckets = this.#counts.map((own, at) => {
      count += own;
      return { metricName: `${name}_bucket`, labels: { le: bucketsS[at] ?? "+Inf" }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: this.#sumS },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  }
}
