import { CommandFailure } from "../../frame/exit-code.ts";
import { airtable } from "./servers/airtable.ts";
import { braveSearch } from "./servers/brave-search.ts";
import { chromeDevtools } from "./servers/chrome-devtools.ts";
import { context7 } from "./servers/context7.ts";
import { desktopCommander } from "./servers/desktop-commander.ts";
import { fetch } from "./servers/fetch.ts";
import { figma } from "./servers/figma.ts";
import { filesystem } from "./servers/filesystem.ts";
import { firecrawl } from "./servers/firecrawl.ts";
import { git } from "./servers/git.ts";
import { github } from "./servers/github.ts";
import { googleMaps } from "./servers/google-maps.ts";
import { memory } from "./servers/memory.ts";
import { mongodb } from "./servers/mongodb.ts";
import { notion } from "./servers/notion.ts";
import { playwright } from "./servers/playwright.ts";
import { postgres } from "./servers/postgres.ts";
import { puppeteer } from "./servers/puppeteer.ts";
import { sentry } from "./servers/sentry.ts";
import { sequentialThinking } from "./servers/sequential-thinking.ts";
import { slack } from "./servers/slack.ts";
import { tavily } from "./servers/tavily.ts";
import { time } from "./servers/time.ts";
import type { Starter } from "./starter.ts";

/** Every starter policy. */
export const STARTERS: readonly Starter[] = [
  airtable,
  braveSearch,
  chromeDevtools,
  context7,
  desktopCommander,
  fetch,
  figma,
  filesystem,
  firecrawl,
  git,
  github,
  googleMaps,
  memory,
  mongodb,
  notion,
  playwright,
  postgres,
  puppeteer,
  sentry,
  sequentialThinking,
  slack,
  tavily,
  time,
];

/** @throws CommandFailure `usage` */
export function starterNamed(name: string): Starter {
  const found = STARTERS.find((starter) => starter.name === name);
  if (found !== undefined) return found;
  const names = STARTERS.map((starter) => starter.name).join(", ");
  throw new CommandFailure("usage", `--starter: expected one of ${names}, found ${JSON.stringify(name)}`);
}
