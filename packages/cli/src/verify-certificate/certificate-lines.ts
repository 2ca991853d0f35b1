import type { CertifiedGateway, ContainmentCertificate } from "@svc/contract/containment-certificate";
import { tableLines } from "@svc/process/table-lines";

const HEAD = ["GATEWAY", "HOST", "STATE", "ACKNOWLEDGED", "CONTAINED SINCE", "LAST SEEN"];

const UNVERIFIED = "not acknowledged, and denying every call since the lease ended";

/** A certificate for people: what it proves, what it is about, and a table of the gateways. */
export function certificateLines(certificate: ContainmentCertificate): readonly string[] {
  const { org, activated_at, activated_by, reason, issued_at, issued_by, clock, gateways } = certificate;
  return [
    ...verdictLines(certificate),
    `  stops      ${stopped(certificate)} of organization ${org}`,
    `  activated  ${activated_at} by ${oneLine(activated_by)}: ${oneLine(reason)}`,
    `  audit row  ${auditRow(certificate)}`,
    `  issued     ${issued_at} by ${issued_by}; times of gateways are of the clock of the ${clock}`,
    ...(gateways.length === 0 ? ["  no gateway"] : tableLines(HEAD, gateways.map(cells))),
  ];
}

function verdictLines(certificate: ContainmentCertificate): readonly string[] {
  const { kill_switch_id: id, containment, contained_since, contained_at_latest, gateways } = certificate;
  const { expires_at, issued_at } = certificate;
  switch (containment) {
    case "contained": {
      const unverified = gateways.filter(({ state }) => state === "denying").map((gateway) => gateway.id);
      // Read later, it must not be taken for the state at that time.
      return [
        `${id}: contained since ${String(contained_since)}, as of ${issued_at}`,
        ...(expires_at === null
          ? []
          : [`  expires    ${expires_at}, and nothing is known of the time after`]),
        ...(unverified.length === 0 ? [] : [`  unverified ${unverified.join(", ")}: ${UNVERIFIED}`]),
      ];
    }
    case "not_yet_contained": {
      const open = gateways.filter(({ state }) => state === "not_yet_contained").map((gateway) => gateway.id);
      const who = open.length === 0 ? "a gateway that is not listed" : open.join(", ");
      return [
        `${id}: NOT YET CONTAINED, until ${String(contained_at_latest)} at the latest`,
        `  until then ${who} may allow calls that the switch stops; read the certificate again`,
      ];
    }
    case "ended": {
      const { ended_at, ended_by, end_reason } = certificate;
      const why = `${String(ended_at)} by ${oneLine(String(ended_by))}: ${oneLine(String(end_reason))}`;
      return [`${id}: ENDED, so nothing is contained`, `  ended      ${why}`];
    }
  }
}

function stopped({ account_wide, scope, target_id }: ContainmentCertificate): string {
  return account_wide || target_id === null ? "every call" : `the calls of ${scope} ${target_id}`;
}

function auditRow({ audit_row: row }: ContainmentCertificate): string {
  if (row === null) return "not recorded, because an earlier version activated the switch";
  if (row.hash === null) return `${row.id} IS NOT IN THE LOG: verify the log`;
  const { checkpoint_size: size } = row;
  const signed =
    size === null ? "not yet covered by a checkpoint" : `covered by the checkpoint of ${String(size)} rows`;
  return `${row.id}, ${signed}, hash ${row.hash}`;
}

function cells({ id, host, state, ...gateway }: CertifiedGateway): readonly string[] {
  const { acknowledged_at, contained_since, contained_at_latest, last_seen_at } = gateway;
  const since = contained_at_latest === null ? (contained_since ?? "-") : `by ${contained_at_latest}`;
  return [
    oneLine(id),
    oneLine(host),
    state.replaceAll("_", " "),
    acknowledged_at ?? "-",
    since,
    last_seen_at ?? "gone",
  ];
}

/** Reasons and names are free text. A line of them must not look like a line of the result. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}
