import type { Bench } from "../scenario.ts";

/** Lets a process write one profile per thread when it ends. */
export function profileFlags({ profileFolder }: Bench): readonly string[] {
  return profileFolder === null ? [] : ["--cpu-prof", "--cpu-prof-dir", profileFolder];
}
