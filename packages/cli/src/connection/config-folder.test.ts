import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configFolder } from "./config-folder.ts";

const OF_USER = join(userInfo().homedir, ".config", "svc");

describe("configFolder", () => {
  // proves CLI-27
  it.each([
    [{ XDG_CONFIG_HOME: "/x", HOME: "/h" }, "/x/svc"],
    [{ HOME: "/h" }, "/h/.config/svc"],
    [{ XDG_CONFIG_HOME: "x", HOME: "/h" }, "/h/.config/svc"],
    [{ XDG_CONFIG_HOME: "", HOME: "" }, OF_USER],
    [{ HOME: "." }, OF_USER],
    [{ XDG_CONFIG_HOME: ".", HOME: "a/b" }, OF_USER],
    [{}, OF_USER],
  ])("of %j is absolute", (environment, expected) => {
    expect(configFolder({ environment })).toBe(expected);
  });

  it("is none for a user without a home", () => {
    expect(configFolder({ environment: { HOME: "" } }, () => null)).toBeNull();
  });
});
