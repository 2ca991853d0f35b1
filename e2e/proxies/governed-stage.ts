import { afterAll, beforeAll, beforeEach } from "vitest";
import { ALLOW, DENY } from "../support/adapters/gateway-verdicts.ts";
import {
  type RecordingServer,
  type Responder,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import type { GovernedProxy } from "../support/proxies/governed-proxies.ts";

/** A backend that a proxy leads to: what it got can be forgotten between two tests. */
interface StageBackend {
  readonly port: number;
  forget(): void;
  close(): Promise<void>;
}

/** What runs while the tests of one proxy run. Its members may be read in tests, not before. */
export interface GovernedStage<Backend> {
  readonly gateway: RecordingServer;
  readonly backend: Backend;
  /** Port of the proxy. */
  readonly port: number;
}

/**
 * Starts a scripted gateway, a backend and the proxy with its adapter for the tests of the enclosing
 * `describe`, and ends them after the last. Without the proxy's program each test is skipped with a reason.
 */
export function governedStage<Backend extends StageBackend>(
  proxy: GovernedProxy,
  answerOfGateway: Responder,
  startBackend: () => Promise<Backend>,
): GovernedStage<Backend> {
  const missing = proxy.missing();
  const started: (() => Promise<void>)[] = [];
  let stage: GovernedStage<Backend> | undefined;

  beforeAll(async () => {
    if (missing !== null) return;
    const gateway = await startRecordingServer(answerOfGateway);
    started.unshift(() => gateway.close());
    const backend = await startBackend();
    started.unshift(() => backend.close());
    const running = await proxy.start({ gatewayPort: gateway.port, backendPort: backend.port });
    started.unshift(() => running.stop());
    stage = { gateway, backend, port: running.port };
  });
  afterAll(async () => {
    for (const stop of started) await stop();
  });
  beforeEach(({ skip }) => {
    skip(missing !== null, missing ?? "");
    stage?.backend.forget();
    stage?.gateway.forget();
  });

  const running = (): GovernedStage<Backend> => {
    if (stage === undefined) throw new Error("the stage runs while tests run, not before");
    return stage;
  };
  return {
    get gateway() {
      return running().gateway;
    },
    get backend() {
      return running().backend;
    },
    get port() {
      return running().port;
    },
  };
}

/** The policy of the raw requests: reading orders is allowed, everything else is denied. */
export const allowReading: Responder = ({ body }, response) => {
  const isRead = (JSON.parse(body) as { tool?: string }).tool === "orders.read";
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(isRead ? ALLOW : DENY));
};
