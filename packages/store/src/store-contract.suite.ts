import { afterAll, beforeAll, describe } from "vitest";
import { agentContract } from "./contract/agent.suite.ts";
import { alertContract } from "./contract/alert.suite.ts";
import { anomalyContract } from "./contract/anomaly.suite.ts";
import { approvalContract } from "./contract/approval.suite.ts";
import { approvalStoreContract } from "./contract/approval-store.suite.ts";
import { assignmentContract } from "./contract/assignment.suite.ts";
import { auditContract } from "./contract/audit.suite.ts";
import type { ContractSubject, StorePlace } from "./contract/contract-subject.ts";
import { controlFeedContract } from "./contract/control-feed.suite.ts";
import { deliveryContract } from "./contract/delivery.suite.ts";
import { deploymentKeyContract } from "./contract/deployment-key.suite.ts";
import { eventContract } from "./contract/event.suite.ts";
import { forwardedRowsContract } from "./contract/forwarded-rows.suite.ts";
import { grantContract } from "./contract/grant.suite.ts";
import { guardrailContract } from "./contract/guardrail.suite.ts";
import { headContract } from "./contract/head.suite.ts";
import { heldCallContract } from "./contract/held-call.suite.ts";
import { idempotencyContract } from "./contract/idempotency.suite.ts";
import { integrationCourseContract } from "./contract/integration-courses.suite.ts";
import { keyContract } from "./contract/key.suite.ts";
import { killSwitchContract } from "./contract/kill-switch.suite.ts";
import { killSwitchListContract } from "./contract/kill-switch-list.suite.ts";
import { ledgerContract } from "./contract/ledger.suite.ts";
import { namespaceContract } from "./contract/namespace.suite.ts";
import { policyContract } from "./contract/policy.suite.ts";
import { policyStateContract } from "./contract/policy-state.suite.ts";
import { recordedCallContract } from "./contract/recorded-call.suite.ts";
import { replayContract } from "./contract/replay.suite.ts";
import { requestKeyContract } from "./contract/request-key.suite.ts";
import { retentionContract } from "./contract/retention.suite.ts";
import { secretContract } from "./contract/secret.suite.ts";
import { sharedGrantContract } from "./contract/shared-grant.suite.ts";
import { supervisedSeverityContract } from "./contract/supervised-severity.suite.ts";
import { supervisionContract } from "./contract/supervision.suite.ts";
import { supervisionReadsContract } from "./contract/supervision-reads.suite.ts";
import { verifierKeyContract } from "./contract/verifier-key.suite.ts";
import type { Store } from "./ports/store.ts";
import { commitChange } from "./testing/commit-change.ts";

/** Milliseconds for a store to open: its threads read their sources anew. */
const OPEN_TIMEOUT_MS = 30_000;

/** Every promise of the ports, for every implementation. */
export function storeContract(name: string, newPlace: () => Promise<StorePlace>): void {
  describe(`${name} keeps the contract of`, () => {
    let place: StorePlace;
    let opened: Store;
    beforeAll(async () => {
      place = await newPlace();
      opened = await place.open();
    }, OPEN_TIMEOUT_MS);
    afterAll(async () => {
      await opened.close();
      await place.remove();
    });
    const subject: ContractSubject = { store: () => opened, newPlace };
    ledgerContract(subject);
    idempotencyContract(subject);
    grantContract(subject);
    sharedGrantContract(subject);
    approvalContract(subject);
    approvalStoreContract(subject);
    heldCallContract(subject);
    auditContract(subject);
    eventContract(subject);
    forwardedRowsContract(subject);
    headContract(subject);
    killSwitchContract(subject);
    killSwitchListContract(subject);
    keyContract(subject);
    policyContract(subject);
    assignmentContract(subject);
    namespaceContract(subject);
    agentContract(subject);
    requestKeyContract(subject);
    recordedCallContract(subject);
    replayContract(subject);
    retentionContract(subject);
    policyStateContract(subject);
    guardrailContract(subject);
    controlFeedContract(async () => {
      const ofItsOwn = await newPlace();
      const store = await ofItsOwn.open();
      return {
        feed: store.controlFeed,
        commit: async (change) => void (await commitChange(store, change)),
        close: async () => {
          await store.close();
          await ofItsOwn.remove();
        },
      };
    });
    supervisionContract(subject);
    supervisedSeverityContract(subject);
    supervisionReadsContract(subject);
    anomalyContract(subject);
    alertContract(subject);
    deliveryContract(subject);
    integrationCourseContract(subject);
    deploymentKeyContract(subject);
    secretContract(subject);
    verifierKeyContract(subject);
  });
}
