import type { Starter } from "../starter.ts";

export const git: Starter = {
  name: "git",
  package: "mcp-server-git",
  registry: "PyPI",
  version: "2026.10.19",
  tools: {
    git_status: "reads",
    git_diff_unstaged: "reads",
    git_diff_staged: "reads",
    git_diff: "reads",
    git_commit: "changes",
    git_add: "changes",
    git_reset: "destroys",
    git_log: "reads",
    git_create_branch: "changes",
    git_checkout: "changes",
    git_show: "reads",
    git_branch: "reads",
  },
  covers: {
    git_add: ["args.repo_path"],
    git_commit: ["args.repo_path"],
  },
};
