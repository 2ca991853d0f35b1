import type { AuditIndex } from "@svc/audit-index/audit-index";
import { type NoteSigner, parseSigner } from "@svc/audit-log/note-key";
import type { ClusterNode } from "@svc/cluster/cluster-node";
import { ControlFollower } from "@svc/control-feed/control-follower";
import { createRefusalLog, type NoteRefusal } from "@svc/http-api/refusal-log";
import { registerBuildInfo } from "@svc/http-edge/build-info";
import { type LogWriter, openLogWriter } from "@svc/log-writer/open-log-writer";
import type { DocumentThread } from "@svc/policy-threads/document-thread";
import type { ReplayerThread } from "@svc/policy-threads/replayer-thread";
import type { SimulatorThread } from "@svc/policy-threads/simulator-thread";
import { systemClock } from "@svc/process/clock";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { VERSION } from "@svc/process/version";
import type { Secrets } from "@svc/secrets/secrets";
import type { Store } from "@svc/store/ports/store";
import { openTelemetry } from "@svc/telemetry/open-telemetry";
import type { Telemetry } from "@svc/telemetry/telemetry";
import type { Logger } from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { StoreOutage } from "../database/store-outage.ts";
import type { DataDirectory } from "../files/data-directory.ts";
import { type AcceptedKeys, acceptKeys, type KeyOptions } from "../keys/accept-keys.ts";
import { noteVerifierKeys } from "../keys/verifier-keys.ts";
import { registerStoreMetrics } from "../metrics/store-metrics.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import type { ServerSettings } from "../settings/settings.ts";
import type { ServerModules } from "./open-modules.ts";
import type { Outbound } from "./open-outbound.ts";

/** Name of the checkpoint signing key in signed notes. */
const SIGNER_NAME = "svc-audit";

export interface OpenedServer extends KeyOptions {
  readonly settings: ServerSettings;
  readonly log: Logger;
  readonly directory: DataDirectory;
  readonly store: Store;
  /** Another number whenever this process committed rows. Null: others write to the store, too. */
  readonly news: () => number | null;
  /** Calls what the server is given the address of. */
  readonly outbound: Outbound;
  /** This process among those that share the database; null where one process owns the store. */
  readonly node: ClusterNode | null;
  /** From which lists and reports of audit rows are answered. */
  readonly auditIndex: AuditIndex;
  /** Compiles policy documents outside the serving thread. */
  readonly documents: DocumentThread;
  /** Runs the Rego modules of policies. */
  readonly modules: ServerModules;
  /** Tries calls for authors outside the serving thread. */
  readonly simulator: SimulatorThread;
  /** Decides recorded calls again outside the serving thread. */
  readonly replayer: ReplayerThread;
}

/** The parts that all roles of a process share. */
export interface ServerParts extends OpenedServer, AcceptedKeys {
  readonly registry: Registry;
  readonly signer: NoteSigner;
  /** The public keys of every process of the store as text, those of this one first. */
  readonly verifierKeys: () => Promise<readonly string[]>;
  /** Follows control state for all roles, from the moment it is started. */
  readonly follower: ControlFollower;
  /** Writes the log of this process, for all roles. */
  readonly logWriter: LogWriter;
  readonly noteRefusal: NoteRefusal;
  /** What must be readable to be used, encrypted at rest. */
  readonly secrets: Secrets;
  /** Null: nothing is measured for OpenTelemetry. */
  readonly telemetry: Telemetry | null;
}

/** Opens what the roles share. @throws naming what could not be opened; nothing is left running then. */
export async function openServerParts(opened: OpenedServer): Promise<ServerParts> {
  const { settings, log, directory, store } = opened;
  const clock = systemClock;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerBuildInfo(registry, { program: "svc-server", version: VERSION });
  opened.modules.register(registry);
  registerStoreMetrics({ registry, store, dataDir: settings.dataDir });
  const signer = signerOf(directory);
  // Before the first checkpoint is signed, because nobody else could say who signed it.
  const verifierKeys = await noteVerifierKeys({ directory, audit: store.audit, clock }, signer.verifier);
  const signedSize = (await directory.newestCheckpoint())?.size ?? 0;
  const outage = new StoreOutage({ clock, log, check: () => store.check() });
  const membership = opened.node?.membership ?? null;
  const follower = new ControlFollower({ feed: store.controlFeed, clock, log, outage, membership });
  const secrets = await openSecrets(settings, store);
  const acceptedKeys = await acceptKeys(opened, follower);
  return {
    ...opened,
    registry,
    signer,
    verifierKeys,
    ...acceptedKeys,
    secrets,
    telemetry: await openTelemetry({ values: settings.telemetry, serviceName: "svc-server", registry, log }),
    noteRefusal: createRefusalLog({ warn: createLimitedWarnings(log), log, clock, registry }),
    follower,
    logWriter: openLogWriter({
      store,
      signer,
      appendCheckpoint: (checkpoint) => directory.appendCheckpoint(checkpoint),
      signedSize,
      clock,
      log,
      outage,
      registry,
    }),
  };
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
