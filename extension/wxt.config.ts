// The manifest and the two builds. `full` is what an agent works with; `lite`
// reads the one tab on which the user clicked and acts nowhere, so it asks for
// next to nothing.
import { defineConfig } from "wxt";

// Pins the extension's id, which the hub knows its own extension by.
const PUBLIC_KEY =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuclEhJOOBSmGTYDMWwCWiujz4B7RdiQtCjL/iBgVjFORFifcVSYTn442I/fJZVkk/I4IsPW/2Tj4hXoMnTU+7BBcBWtWsYQHx0YRJywMd0XzZeHMjSqXde9YZrkYL8bgOSb9trvzE76tuu1/bLufa8TTbrR7atG0kPNc0UeL1lPQzSP+M188cYemVSYN7rD4PyCmTd8xx5r3GOxHRe6U64ZuJvqmPcTMvS+rhAj18AFSBx1RVQ3QpcvYqtOQvcJgU7lazRlzgG10RFchNmzskE3f90krd2Pvxu5jyKNzpL9yoZb8whWItcjQx8WXqqzzfikYvMDH0Dos8y/U++sZCwIDAQAB";

const PERMISSIONS = {
  full: [
    "debugger",
    "tabs",
    "tabGroups",
    "scripting",
    "activeTab",
    "storage",
    "sidePanel",
    "nativeMessaging",
    "alarms",
    "notifications",
    "webNavigation",
    "downloads",
  ],
  lite: ["activeTab", "scripting", "storage", "sidePanel"],
} as const;

export default defineConfig({
  srcDir: "src",
  outDir: "dist",
  outDirTemplate: "{{mode}}",
  imports: false,
  webExt: { disabled: true },
  manifest: ({ mode }) => {
    const lite = mode === "lite";
    return {
      name: "__MSG_extensionName__",
      description: lite ? "__MSG_descriptionLite__" : "__MSG_descriptionFull__",
      default_locale: "en",
      key: PUBLIC_KEY,
      // 116 keeps a worker with a busy WebSocket alive; 126 brings `URL.parse`.
      minimum_chrome_version: "126",
      permissions: [...PERMISSIONS[lite ? "lite" : "full"]],
      ...(lite ? {} : { host_permissions: ["<all_urls>"] }),
      commands: {
        "stop-everything": {
          // Chrome leaves some keys unset without a word: Alt+Shift+X is one.
          suggested_key: { default: "Alt+Shift+S" },
          description: "__MSG_stopEverything__",
        },
      },
    };
  },
});
