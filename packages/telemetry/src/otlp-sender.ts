import { readFileSync } from "node:fs";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OutboundDialer } from "@svc/outbound/outbound-dialer";
import { parseOutboundAllow } from "@svc/outbound/parse-outbound-allow";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import type { TelemetryValues } from "./telemetry-environment.ts";

/** Bytes of an answer of a collector that are read. Nothing in it changes what is done. */
const MAX_ANSWER_BYTES = 4_096;

const CONTENT_TYPES = { "http/protobuf": "application/x-protobuf", "http/json": "application/json" };

/** Sends exports of one kind to one address. What cannot be delivered is lost, and a warning says so. */
export type SendExport = (body: Uint8Array | undefined, done: (result: ExportResult) => void) => void;

/** The way to the collectors that the environment names, and to nothing else. */
export class OtlpSender {
  readonly #dialer: OutboundDialer;
  readonly #values: TelemetryValues;
  readonly #warn: ReturnType<typeof createLimitedWarnings>;

  /** @throws naming a file of certificates that cannot be read */
  constructor(values: TelemetryValues, urls: readonly string[], log: Logger) {
    this.#values = values;
    this.#warn = createLimitedWarnings(log);
    // The operator named them in the environment of this process, so private addresses are meant.
    const allow = urls.flatMap((url) => parseOutboundAllow(new URL(url).host));
    const authorities = readAuthorities(values.OTEL_EXPORTER_OTLP_CERTIFICATE);
    this.#dialer = new OutboundDialer({ rules: { allow, allowPrivate: false }, authorities });
  }

  to(url: string): SendExport {
    return (body, done) => {
      const exported = async (): Promise<void> => done(await this.#export(url, body));
      void exported();
    };
  }

  /** Never rejects. */
  async #export(url: string, body: Uint8Array | undefined): Promise<ExportResult> {
    try {
      await this.#send(url, body);
      return { code: ExportResultCode.SUCCESS };
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#warn("otlp", { collector: new URL(url).origin, error: fault.message }, LOST);
      return { code: ExportResultCode.FAILED, error: fault };
    }
  }

  async #send(url: string, body: Uint8Array | undefined): Promise<void> {
    if (body === undefined) throw new Error("the export could not be written");
    const protocol = this.#values.OTEL_EXPORTER_OTLP_PROTOCOL;
    const outcome = await this.#dialer.send({
      url,
      method: "POST",
      headers: { ...this.#values.OTEL_EXPORTER_OTLP_HEADERS, "content-type": CONTENT_TYPES[protocol] },
      body,
      deadlineMs: this.#values.OTEL_EXPORTER_OTLP_TIMEOUT,
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (outcome.kind !== "answer") throw new Error(outcome.reason);
    if (outcome.status >= 300) throw new Error(`the collector answered ${String(outcome.status)}`);
  }

  close(): Promise<void> {
    return this.#dialer.close();
  }
}

const LOST = "spans or metrics could not be delivered, and are lost";

function readAuthorities(path: string | null): readonly string[] {
  if (path === null) return [];
  try {
    return [readFileSync(path, "utf8")];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`OTEL_EXPORTER_OTLP_CERTIFICATE ${JSON.stringify(path)}: ${why}`, { cause: error });
  }
}
