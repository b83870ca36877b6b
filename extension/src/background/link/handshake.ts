// The first frame: who we are, what we can do, which tabs there are.
import { BUILD } from "../../build";
import { type BrowserInfo, type Handshake, HELM_VERSION, PROTOCOL } from "../../protocol/generated";
import { describeCapability } from "../capabilities/capability";
import { capabilities } from "../capabilities/registry";
import { allTabFacts } from "../tab-facts";
import { windowInUse } from "../watched-tab";
import { clientId } from "./settings";

/** What proves who we are; nothing where the host between us and the hub does. */
export type Credential = { pairingToken: string } | { accessToken: string } | Record<string, never>;

export async function makeHandshake(
  credential: Credential,
  memoryName: Promise<string>,
): Promise<Handshake> {
  const [id, browser, tabs, window, memory] = await Promise.all([
    clientId(),
    browserInfo(),
    allTabFacts(),
    windowInUse(),
    memoryName,
  ]);
  return {
    protocol: PROTOCOL,
    clientType: "extension",
    clientId: id,
    ...credential,
    capabilities: capabilities.map(describeCapability),
    browser,
    extensionVersion: chrome.runtime.getManifest().version,
    tabs,
    ...(window !== undefined && { window }),
    memory,
    helm: HELM_VERSION,
  };
}

interface UserAgentData {
  brands: { brand: string; version: string }[];
  platform: string;
  getHighEntropyValues(hints: string[]): Promise<{ fullVersionList?: UserAgentData["brands"] }>;
}

async function browserInfo(): Promise<BrowserInfo> {
  const agent = (navigator as Navigator & { userAgentData?: UserAgentData }).userAgentData;
  const { os } = await chrome.runtime.getPlatformInfo();
  const high = await agent?.getHighEntropyValues(["fullVersionList"]);
  const brands = high?.fullVersionList ?? agent?.brands ?? [];
  // Besides a made-up brand the list holds the engine and, in branded builds,
  // the product: the product is what the user calls it.
  const real = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
  const product = real.find(({ brand }) => brand !== "Chromium") ?? real[0];
  return {
    name: product?.brand ?? "Chromium",
    version: product?.version ?? "",
    build: BUILD,
    platform: os,
  };
}
