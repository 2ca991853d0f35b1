import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import { hrTime } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { VERSION } from "@svc/process/version";
import type { MetricObjectWithValues, MetricType, MetricValue, Registry } from "prom-client";

type Metric = MetricObjectWithValues<MetricValue<string> & { readonly metricName?: string }>;
type Sample = Metric["values"][number];

/** The metrics that a process serves at /metrics, in the form that OTLP carries. */
export class RegistryMetrics implements MetricProducer {
  readonly #registry: Registry;
  readonly #resource: Resource;
  readonly #startTime: HrTime = hrTime();

  constructor(registry: Registry, resource: Resource) {
    this.#registry = registry;
    this.#resource = resource;
  }

  async collect(): Promise<CollectionResult> {
    const found = (await this.#registry.getMetricsAsJSON()) as readonly Metric[];
    const span = { startTime: this.#startTime, endTime: hrTime() };
    const metrics = found.flatMap((metric) => metricData(metric, span) ?? []);
    const scopeMetrics = [{ scope: { name: "svc", version: VERSION }, metrics }];
    return { resourceMetrics: { resource: this.#resource, scopeMetrics }, errors: [] };
  }
}

type Times = Pick<DataPoint<number>, "startTime" | "endTime">;

/** Null for a kind that OTLP has no form for. Summaries are none of ours. */
function metricData({ name, help, type, values }: Metric, times: Times): MetricData | null {
  const common = {
    descriptor: { name, description: help, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () => values.map(({ labels, value }) => ({ ...times, attributes: textsOf(labels), value }));
  // The library declares the kinds as numbers, and hands them out as words.
  switch (type as unknown as "counter" | "gauge" | "histogram" | "summary" | MetricType) {
    case "counter":
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case "gauge":
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case "histogram": {
      const dataPoints = histogramPoints(name, values, times);
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
    }
    default:
      return null;
  }
}

/** One point for each set of labels: the buckets of Prometheus contain each other, those of OTLP do not. */
function histogramPoints(name: string, values: readonly Sample[], times: Times): DataPoint<Histogram>[] {
  const bySeries = Map.groupBy(values, ({ labels }) => {
    const { le: _, ...own } = labels as Record<string, string | number>;
    return JSON.stringify(own);
  });
  return [...bySeries.values()].map((series) => {
    const { le: _, ...labels } = (series[0]?.labels ?? {}) as Record<string, string | number>;
    const value = histogramOf(name, series);
    return { ...times, attributes: textsOf(labels), value };
  });
}

function histogramOf(name: string, series: readonly Sample[]): Histogram {
  const ofName = (suffix: string): number =>
    series.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const buckets = series
    .filter(({ metricName }) => metricName === `${name}_bucket`)
    .map(({ labels, value }) => ({
      bound: boundOf((labels as Record<string, string | number>)["le"]),
      value,
    }))
    .toSorted((one, other) => one.bound - other.bound);
  return {
    buckets: {
      boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite),
      counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
    },
    sum: ofName("sum"),
    count: ofName("count"),
  };
}

function boundOf(le: string | number | undefined): number {
  return le === "+Inf" || le === undefined ? Number.POSITIVE_INFINITY : Number(le);
}

function textsOf(labels: object): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
