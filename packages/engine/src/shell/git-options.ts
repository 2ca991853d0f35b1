import { wordList } from "../word-list.ts";

/**
 * The letters of each subcommand of git, as `git <subcommand> -h` of version 2.39 lists them: a letter, `=`
 * if it has a value, `?` if a value may be attached, and its long name after the colon, if it has one.
 */
export const GIT_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "add",
    [
      ...wordList("n:dry-run v:verbose i:interactive p:patch e:edit f:force u:update N:intent-to-add"),
      ...wordList("A:all"),
    ],
  ],
  [
    "branch",
    [
      ...wordList("v:verbose q:quiet t?:track u=:set-upstream-to r:remotes a:all d:delete D: m:move"),
      ...wordList("M: c:copy C: l:list f:force i:ignore-case"),
    ],
  ],
  ["checkout", wordList("b=: B=: l: q:quiet m:merge d:detach t?:track f:force 2:ours 3:theirs p:patch")],
  ["cherry-pick", wordList("n:no-commit e:edit s:signoff m=:mainline X=:strategy-option S?:gpg-sign x:")],
  ["clean", wordList("q:quiet n:dry-run f:force i:interactive d: e=:exclude x: X:")],
  [
    "clone",
    [
      ...wordList("v:verbose q:quiet n:no-checkout l:local s:shared j=:jobs o=:origin b=:branch"),
      ...wordList("u=:upload-pack c=:config 4:ipv4 6:ipv6"),
    ],
  ],
  [
    "commit",
    [
      ...wordList("q:quiet v:verbose F=:file m=:message c=:reedit-message C=:reuse-message s:signoff"),
      ...wordList("t=:template e:edit S?:gpg-sign a:all i:include p:patch o:only n:no-verify z:null"),
      ...wordList("u?:untracked-files"),
    ],
  ],
  [
    "fetch",
    [
      ...wordList("v:verbose q:quiet a:append f:force m:multiple t:tags n:no-tags j=:jobs p:prune"),
      ...wordList("P:prune-tags k:keep u:update-head-ok o=:server-option 4:ipv4 6:ipv6"),
    ],
  ],
  [
    "merge",
    [
      ...wordList("n:no-stat e:edit s=:strategy X=:strategy-option m=:message F=:file v:verbose"),
      ...wordList("q:quiet S?:gpg-sign"),
    ],
  ],
  ["mv", wordList("v:verbose n:dry-run f:force k:")],
  [
    "pull",
    [
      ...wordList("v:verbose q:quiet r?:rebase n:no-stat s=:strategy X=:strategy-option S?:gpg-sign"),
      ...wordList("a:append f:force t:tags p:prune j?:jobs k:keep o=:server-option 4:ipv4 6:ipv6"),
    ],
  ],
  [
    "push",
    [
      ...wordList("v:verbose q:quiet d:delete n:dry-run f:force u:set-upstream o=:push-option 4:ipv4"),
      ...wordList("6:ipv6"),
    ],
  ],
  [
    "rebase",
    [
      ...wordList("q:quiet v:verbose n:no-stat C=: f:force-rebase m:merge i:interactive S?:gpg-sign"),
      ...wordList("x=:exec r?:rebase-merges s=:strategy X=:strategy-option"),
    ],
  ],
  ["remote", wordList("v:verbose")],
  ["reset", wordList("q:quiet p:patch N:intent-to-add")],
  ["restore", wordList("s=:source S:staged W:worktree q:quiet m:merge 2:ours 3:theirs p:patch")],
  ["revert", wordList("n:no-commit e:edit s:signoff m=:mainline X=:strategy-option S?:gpg-sign")],
  ["rm", wordList("n:dry-run q:quiet f:force r:")],
  ["status", wordList("v:verbose s:short b:branch z:null u?:untracked-files M?:find-renames")],
  ["switch", wordList("c=:create C=:force-create q:quiet m:merge d:detach t?:track f:force")],
  [
    "tag",
    [
      ...wordList("l:list n?: d:delete v:verify a:annotate m=:message F=:file e:edit s:sign"),
      ...wordList("u=:local-user f:force i:ignore-case"),
    ],
  ],
]);
