import { randomBytes } from "node:crypto";
import { type NoteSigner, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { nodeTimers } from "@svc/process/timers";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { randomId } from "@svc/process/random-id";
import { createTtlExpiry, type TtlExpiry } from "@svc/control-plane/ttl-expiry";
import { type Gateway, openGateway } from "@svc/gateway/gateway";
import { KillSwitchFeedEndpoint } from "./kill-switch-feed-endpoint.ts";
import { LargeCallThread } from "@svc/gateway/large-call-thread";
import { CompilerThread } from "@svc/policy-compiler/compiler-thread";
import { VERSION } from "@svc/process/version";
import { registerBuildInfo } from "@svc/http-edge/build-info";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Store } from "@svc/store/ports/store";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { ensureAdminKey } from "./admin-key.ts";
import { Admission } from "./admission/admission.ts";
import { admissionMetrics } from "./admission/admission-metrics.ts";
import { createApi } from "./api.ts";
import { removeAdminKey, writeAdminKey } from "./admin-key-file.ts";
import { formatApiKey } from "./api-key.ts";
import { type Authenticate, bearerAuthentication, openAuthentication } from "./authentication.ts";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";
import { GatewayEndpoints } from "./gateway-endpoints.ts";
import { localPropagation } from "./local-propagation.ts";
import { openStore } from "./open-store.ts";
import { createRefusalLog } from "./refusal-log.ts";
import type { OnVerdict } from "./print-decisions.ts";
import { routeRequests } from "./route-requests.ts";
import type { ServerSettings } from "./settings.ts";
import { registerStoreMetrics } from "./store-metrics.ts";
import { systemClock } from "@svc/process/clock";
import { withinDeadline } from "./within-deadline.ts";

/** Milliseconds that requests in flight get to finish at shutdown: more than the slowest decision takes. */
const SHUTDOWN_GRACE_MS = 5_000;

/** Bytes of the key of the digests in audit rows. */
const DIGEST_KEY_BYTES = 32;
/** Name of the checkpoint signing key in signed notes. */
const SIGNER_NAME = "svc-audit";

export interface RunningServer {
  /** `http://host:port` of the gateway and control endpoints. */
  readonly url: string;
  readonly controlPlane: ControlPlanePorts;
  /** Resolves when every policy that the start found has been compiled, or tried at least once. */
  untilPoliciesLoaded(): Promise<void>;
  /** Answers what is in flight, signs a last checkpoint and lets go of the store. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly settings: ServerSettings;
  readonly log: Logger;
  /** Called with the path of the file that holds a new admin key; the key itself goes nowhere else. */
  readonly onAdminKey: (path: string) => void;
  /** Called with each verdict, to show it. */
  readonly onVerdict?: OnVerdict | undefined;
}

/**
 * Starts everything that one process serves. @throws naming what could not be opened; nothing is left running
 * then.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings, log } = options;
  // Rows, keys and checkpoints are for the service's own user; the databases' libraries make files as they
  // like.
  process.umask(0o077);
  const directory = await openDataDirectory({
    path: settings.dataDir,
    gatewayId: settings.gatewayId,
    onDamage: (damage) =>
      log.warn({ ...damage }, "lines of the checkpoint file are damaged and were skipped"),
  });
  const compiler = new CompilerThread({ log });
  compiler.start();
  const store = await openStore(settings, directory);
  try {
    return await serve({ ...options, directory, store, compiler });
  } catch (error) {
    await store.close();
    await compiler.close();
    throw error;
  }
}

interface Opened extends StartOptions {
  readonly compiler: CompilerThread;
  readonly directory: DataDirectory;
  readonly store: Store;
}

async function serve(opened: Opened): Promise<RunningServer> {
  const { settings, log, directory, store, compiler, onVerdict } = opened;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerBuildInfo(registry, { program: "svc-server", version: VERSION });
  const signer = signerOf(directory);
  const authenticate = await authentication(opened);
  const digestKey = await store.deploymentKeys.deploymentKey("digest", newDigestKey());
  const gateway = await openGateway({
    store,
    digestKey,
    signer,
    appendCheckpoint: (checkpoint) => directory.appendCheckpoint(checkpoint),
    signedSize: (await directory.newestCheckpoint())?.size ?? 0,
    clock: systemClock,
    timers: nodeTimers,
    compiler,
    log,
    registry,
    publicUrl: settings.publicUrl,
    onVerdict,
  });
  const { gatewayId } = directory;
  const controlPlane = controlPlanePorts({ log, store, gateway, gatewayId, documents: compiler });
  await controlPlane.ttl.start();
  const { audit, keys } = store;
  const checkpoint = (): Promise<void> => gateway.checkpoint();
  const verifierKeys = await directory.notePublicKey(renderVerifierKey(signer.verifier));
  const noteRefusal = createRefusalLog({ warn: createLimitedWarnings(log), registry });
  const auditParts = { audit, keys, verifierKeys, checkpoint };
  const api = createApi({ authenticate, controlPlane, log, noteRefusal, ...auditParts });
  registerStoreMetrics({ registry, store, dataDir: settings.dataDir });
  const largeCalls = new LargeCallThread({ log, digestKey });
  largeCalls.start();
  const admission = new Admission(admissionMetrics(registry));
  const decide = { gateway, admission, largeCalls };
  const gatewayEndpoints = new GatewayEndpoints({ ...decide, authenticate, log, noteRefusal });
  const killSwitchFeed = new KillSwitchFeedEndpoint({ gateway, authenticate, noteRefusal });
  const hostCheck = settings.authentication === "off" ? authenticate : null;
  const server = createEdgeServer({
    handle: routeRequests({ gatewayEndpoints, killSwitchFeed, api, gateway, store, registry, hostCheck }),
    onError: (error, requestId) => log.error({ err: error, request_id: requestId }, "a request failed"),
    onRefused: ({ code, request_id: requestId = null }) => noteRefusal({ code, requestId, request: null }),
  });
  const listening = await listen(server, settings.listen);
  return {
    url: listening.url,
    controlPlane,
    untilPoliciesLoaded: () => gateway.untilPoliciesLoaded(),
    close: async () => {
      await listening.close(SHUTDOWN_GRACE_MS);
      await largeCalls.close();
      await controlPlane.ttl.stop();
      await gateway.close();
      await compiler.close();
      await store.close();
    },
  };
}

/** 256 random bits, as the digests of audit rows take them. */
function newDigestKey(): string {
  return randomBytes(DIGEST_KEY_BYTES).toString("hex");
}

function signerOf({ path, signingKeyPem }: DataDirectory): NoteSigner {
  try {
    return parseSigner(SIGNER_NAME, signingKeyPem);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${path}/signing-key.pem: expected an Ed25519 private key in PEM: ${why}`, {
      cause: error,
    });
  }
}

async function authentication({ settings, store, log, onAdminKey }: Opened): Promise<Authenticate> {
  if (settings.authentication === "off") return openAuthentication();
  const keys = await ensureAdminKey({
    keys: store.keys,
    bootstrapKey: settings.bootstrapKey,
    now: systemClock.now(),
    handOver: async (key) => {
      const path = await writeAdminKey(settings.dataDir, formatApiKey(key));
      log.info({ key_id: key.id, path }, "admin key created");
      onAdminKey(path);
    },
    withdraw: () => removeAdminKey(settings.dataDir),
  });
  log.info({ key_ids: keys.map(({ id }) => id) }, "keys accepted");
  return bearerAuthentication(keys);
}

interface ControlPlaneParts {
  readonly documents: CompilerThread;
  readonly log: Logger;
  readonly store: Store;
  readonly gateway: Gateway;
  readonly gatewayId: string;
}

function controlPlanePorts(parts: ControlPlaneParts): ControlPlanePorts & { readonly ttl: TtlExpiry } {
  const { log, store, gateway, gatewayId, documents } = parts;
  const propagation = localPropagation({ gatewayId, gateway, clock: systemClock });
  const stores = {
    killSwitches: withinDeadline(store.killSwitches),
    policies: withinDeadline(store.policies),
    assignments: withinDeadline(store.assignments),
    controlFeed: withinDeadline(store.controlFeed),
    ledger: gateway.ledger,
  };
  const tools = { clock: systemClock, timers: nodeTimers, log, newId: randomId, documents };
  const base = { ...tools, propagation, ...stores };
  return { ...base, ttl: createTtlExpiry(base) };
}
