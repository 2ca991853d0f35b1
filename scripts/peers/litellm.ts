import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../toolchain.mjs";
import { fillKept, type KeptFolder, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

/** Every release that it consists of. */
const pins = join(root, "e2e", "guardrail", "litellm", "requirements.txt");

/** 735 MB of Python packages once they are unpacked. */
export const litellm: Peer = {
  name: "litellm",
  purpose: "an LLM gateway that asks through its guardrail hook",
  downloadMb: 299,
  isPresent: () => linkKept(keptFolder()),
  obstacle: () => null,
  install: () =>
    fillKept(keptFolder(), async (empty) => {
      const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", empty, "-r", pins];
      await runCommand("python3", args);
    }),
};

function keptFolder(): KeptFolder {
  const text = readFileSync(pins, "utf8");
  const version = /^litellm==(.+)$/m.exec(text)?.[1] ?? "unpinned";
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { link: "litellm", folder: `litellm-${version}-${digest}` };
}
