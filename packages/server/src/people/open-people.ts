import type { Authentication } from "@svc/http-api/authentication";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { limitGuesses } from "@svc/http-api/guess-limits";
import type { WebApp } from "@svc/http-api/web-app";
import { systemClock } from "@svc/process/clock";
import { approvalOperations } from "@svc/web/approval-operations";
import { ApprovalPages } from "@svc/web/approval-pages";
import { cliLogin } from "@svc/web/cli-login";
import { loginPages } from "@svc/web/login-pages";
import { PageKey } from "@svc/web/page-key";
import { Visitors } from "@svc/web/visitors";
import { provingConnections } from "../keys/prove-connections.ts";
import type { ServerParts } from "../start/server-parts.ts";
import { handOver, openLogins } from "./open-logins.ts";

/** The pages of people, and their way in. */
export function openPeople(
  { settings, authenticators, outbound, followedKeys }: ServerParts,
  pageKeyHex: string,
  { controlPlane, auditIndex, rateLimits, noteRefusal, log }: ComposedControl["api"],
): { readonly approvalPages: ApprovalPages; readonly loginPages: WebApp } {
  const login = provingConnections((_request, key: string) => authenticators.key(key));
  const { publicUrl, trustedProxies } = settings;
  const pageKey = new PageKey(pageKeyHex);
  const person = async (text: string): Promise<Authentication> => {
    const known = authenticators.key(text);
    if (known.kind === "principal" || known.problem.code === "unavailable") return known;
    await followedKeys?.catchUp();
    return authenticators.key(text);
  };
  const visitors = new Visitors({
    everybody: settings.authentication === "off" ? authenticators.verified : null,
    login: limitGuesses(login, systemClock, settings),
    person,
    pageKey,
    clock: systemClock,
    publicUrl,
  });
  const providers = openLogins({
    settings,
    outbound,
    controlPlane,
    authenticateKey: person,
    log,
  });
  const shared = { visitors, providers, noteRefusal, publicUrl };
  const operations = approvalOperations(controlPlane, { log, auditIndex });
  return {
    approvalPages: new ApprovalPages({ ...shared, operations, rateLimits }),
    loginPages: loginPages({ ...shared, trustedProxies, pageKey, clock: systemClock }).route(
      "/",
      cliLogin({ ...shared, handOver: (principal, key) => handOver(controlPlane, principal, key) }),
    ),
  };
}
