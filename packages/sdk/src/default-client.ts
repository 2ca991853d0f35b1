import { SvcClient } from "./svc-client.ts";

let shared: SvcClient | null = null;

/** The client of the environment (SVC_URL, SVC_API_KEY, SVC_ORG_ID), made at its first use. */
export function defaultClient(): SvcClient {
  shared ??= new SvcClient();
  return shared;
}
