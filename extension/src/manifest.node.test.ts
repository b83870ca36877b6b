import { expect, it } from "vitest";
import type { ConfigEnv, UserManifest } from "wxt";
import config from "../wxt.config";

async function manifest(mode: string): Promise<UserManifest> {
  const env: ConfigEnv = { mode, command: "build", browser: "chrome", manifestVersion: 3 };
  const make = config.manifest as (env: ConfigEnv) => UserManifest | Promise<UserManifest>;
  return make(env);
}

it("only the full build talks to a program of this machine", async () => {
  expect((await manifest("full")).permissions).toContain("nativeMessaging");
  expect((await manifest("lite")).permissions).not.toContain("nativeMessaging");
});

it.each(["full", "lite"])("no web page can frame or reach a page of the %s build", async (mode) => {
  const keys = Object.keys(await manifest(mode));
  expect(keys).toContain("permissions");
  expect(keys).not.toContain("web_accessible_resources");
  expect(keys).not.toContain("externally_connectable");
});
