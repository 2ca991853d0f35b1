import type { GuardrailFindings, GuardrailRecord } from "@svc/contract/guardrail";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { askThread, readPage, readRecord } from "../call-store.ts";
import { decidingRecord } from "../policies/known-guardrails.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

type ReadPorts = Pick<ControlPlanePorts, "guardrails" | "log">;

/** A guardrail, and the version that the caller has seen (If-Match); null: any. */
export interface NamedGuardrail {
  readonly id: string;
  readonly expectedVersion: number | null;
}

/** By id. */
export async function listGuardrails(
  ports: ReadPorts,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<GuardrailRecord>>> {
  return readPage(ports, page, () => ports.guardrails.guardrails(org, page));
}

/** @param version null: the latest one; a version may be of a guardrail that was removed. */
export async function getGuardrail(
  ports: ReadPorts,
  { org }: Principal,
  { id, version = null }: { readonly id: string; readonly version?: number | null },
): Promise<Outcome<GuardrailRecord>> {
  return readRecord(
    ports,
    () =>
      version === null
        ? ports.guardrails.guardrail(org, id)
        : ports.guardrails.guardrailVersion(org, id, version),
    () => (version === null ? refuseUnknownGuardrail(id) : refuseUnknownVersion(id, version)),
  );
}

/** The guardrail if it has the version that the caller has seen. */
export async function seenGuardrail(
  ports: ReadPorts,
  principal: Principal,
  { id, expectedVersion }: NamedGuardrail,
): Promise<Outcome<GuardrailRecord>> {
  const found = await getGuardrail(ports, principal, { id });
  if (found.kind === "problem" || expectedVersion === null) return found;
  return found.value.version === expectedVersion ? found : refuseMovedGuardrail(id);
}

const NOT_TRIED = {
  fault: "a guardrail could not be tried",
  consequence: "The guardrail could not be tried. Send a shorter text, or try again.",
};

/** What a guardrail finds in a text. Nothing of the text is stored, logged or repeated. */
export async function testGuardrail(
  ports: ReadPorts & Pick<ControlPlanePorts, "guardrailChecks">,
  principal: Principal,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<Outcome<GuardrailFindings>> {
  const found = await getGuardrail(ports, principal, { id });
  if (found.kind === "problem") return found;
  const guardrail = decidingRecord(found.value);
  const tried = await askThread(ports, NOT_TRIED, () => ports.guardrailChecks.tryGuardrail(guardrail, text));
  if (tried.kind === "problem") return tried;
  const { version } = guardrail;
  return { kind: "ok", value: { id, version, ...tried.value } };
}

export function refuseUnknownGuardrail(id: string): Refusal {
  return refuse("not_found", `There is no guardrail ${id}. GET guardrails lists them.`);
}

function refuseUnknownVersion(id: string, version: number): Refusal {
  return refuse("not_found", `There is no version ${String(version)} of a guardrail ${id}.`);
}

export function refuseMovedGuardrail(id: string): Refusal {
  return refuse("version_moved", `Guardrail ${id} has changed. Read it again, then decide.`);
}
