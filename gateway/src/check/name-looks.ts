import { LookAlikes } from "@svc/engine/look-alikes";

/** Agents and namespaces that something was set up for, by what they look like. */
export interface NameLooks {
  readonly agent: LookAlikes;
  readonly namespace: LookAlikes;
}

export function noLooks(): NameLooks {
  return { agent: new LookAlikes(), namespace: new LookAlikes() };
}
