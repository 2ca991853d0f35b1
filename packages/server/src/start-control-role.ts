import { renderVerifierKey } from "@svc/audit-log/note-key";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Propagation } from "@svc/control-plane/propagation";
import { TtlExpiry } from "@svc/control-plane/ttl-expiry";
import type { Handle } from "@svc/http-edge/edge-server";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import { nodeTimers } from "@svc/process/timers";
import { createApi } from "./api.ts";
import type { ServerParts } from "./server-parts.ts";
import { withinDeadline } from "./within-deadline.ts";

export interface ControlRole {
  readonly controlPlane: ControlPlanePorts;
  /** The control endpoints. */
  readonly api: Handle;
  /** Stops ending switches. */
  close(): Promise<void>;
}

/** How the log names the expiry as a subscriber of control state. */
const SUBSCRIBER = { name: "ttl expiry", consequence: "kill switches may end late" };

/** Starts the control endpoints and the expiry of kill switches. @throws when the store cannot be read. */
export async function startControlRole(parts: ServerParts, propagation: Propagation): Promise<ControlRole> {
  const { store, directory, signer, follower, logWriter, log, authenticate, noteRefusal } = parts;
  const { audit, keys } = store;
  const controlPlane = {
    clock: systemClock,
    timers: nodeTimers,
    log,
    newId: randomId,
    documents: parts.compiler,
    propagation,
    killSwitches: withinDeadline(store.killSwitches),
    policies: withinDeadline(store.policies),
    assignments: withinDeadline(store.assignments),
  };
  const expiry = new TtlExpiry(controlPlane);
  await follower.subscribe(expiry, SUBSCRIBER).catchUp();
  const verifierKeys = await directory.notePublicKey(renderVerifierKey(signer.verifier));
  const auditParts = { audit, keys, verifierKeys, checkpoint: () => logWriter.checkpoint() };
  const api = createApi({ authenticate, controlPlane, log, noteRefusal, ...auditParts });
  return { controlPlane, api, close: () => expiry.stop() };
}
