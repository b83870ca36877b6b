// Two kinds of tests: what is pure runs in Node, what a browser decides runs in
// a real Chromium.
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { findBrowser } from "./scripts/find-browser.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "worker",
          include: ["src/{background,protocol}/**/*.test.ts", "src/**/*.node.test.ts"],
          environment: "node",
        },
      },
      {
        test: {
          name: "page",
          include: ["src/{page,popup,panel,options}/**/*.test.ts"],
          exclude: ["src/**/*.node.test.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findBrowser(), args: ["--no-sandbox"] },
            }),
            instances: [{ browser: "chromium", viewport: { width: 1000, height: 700 } }],
          },
        },
      },
    ],
  },
});
