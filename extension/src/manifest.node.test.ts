import { expect, it } from "vitest";
import type { ConfigEnv, UserManifest } from "wxt";
import config from "../wxt.config";

it.each(["full", "lite"])("no web page can frame or reach a page of the %s build", async (mode) => {
  const env: ConfigEnv = { mode, command: "build", browser: "chrome", manifestVersion: 3 };
  const make = config.manifest as (env: ConfigEnv) => UserManifest | Promise<UserManifest>;
  const keys = Object.keys(await make(env));
  expect(keys).toContain("permissions");
  expect(keys).not.toContain("web_accessible_resources");
  expect(keys).not.toContain("externally_connectable");
});
