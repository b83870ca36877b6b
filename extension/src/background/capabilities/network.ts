// `network`: what a tab requested, through the debugger. The first call in a
// tab begins the recording; what came before is told as the page knows it.
import type { NetworkDetail, NetworkList, NetworkParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { sendDebuggerCommand } from "../debugger";
import { earlierRequests } from "../earlier-requests";
import type { Headers } from "../network-events";
import { contentTypeOf, NetworkRequests, type Recorded } from "../network-requests";
import { Recording } from "../recording";
import { responseBody } from "../response-body";
import { sentFields } from "../sent-fields";
import { defineCapability } from "./capability";

/** How much of what was received the browser keeps for us, and of what was sent it tells at once. */
const BUFFERS = {
  maxTotalBufferSize: 10_000_000,
  maxResourceBufferSize: 5_000_000,
  maxPostDataSize: 65_536,
};

const recording = new Recording(
  [{ method: "Network.enable", params: BUFFERS }],
  () => new NetworkRequests(),
);

export function watchNetwork(): void {
  recording.watch();
}

/** Then the debugger tells of requests already. */
export function isNetworkRecorded(tabId: number): boolean {
  return recording.has(tabId);
}

export const network = defineCapability<NetworkParams>({
  name: "network",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["networkRequests"],
  async run(params): Promise<NetworkList | NetworkDetail> {
    const requests = await recording.of(params.tabId);
    return params.action === "list"
      ? list(params.tabId, requests)
      : detail(params.tabId, requests.find(params.id));
  },
});

async function list(tabId: number, requests: NetworkRequests): Promise<NetworkList> {
  const recorded = requests.all.map(({ told }) => told);
  const earlier = await earlierRequests(tabId, requests);
  return { requests: [...earlier, ...recorded], dropped: requests.dropped };
}

async function detail(tabId: number, recorded: Recorded | undefined): Promise<NetworkDetail> {
  if (!recorded) {
    throw new Refused(
      "not_found",
      "There is no request of this number. List the requests to see which there are.",
    );
  }
  return {
    request: recorded.told,
    requestHeaders: pairs(recorded.requestHeaders),
    responseHeaders: pairs(recorded.responseHeaders),
    sentFields: await fieldsOf(tabId, recorded),
    ...(await responseBody(tabId, recorded)),
  };
}

/** One pair a header, also where a server sent several of one name. */
function pairs(headers: Headers): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    values.split("\n").map((value): [string, string] => [name, value]),
  );
}

async function fieldsOf(tabId: number, recorded: Recorded): Promise<string[]> {
  if (!recorded.hasUnseenBody) return recorded.sentFields;
  try {
    const { postData } = await sendDebuggerCommand<{ postData: string }>(
      tabId,
      "Network.getRequestPostData",
      { requestId: recorded.requestId },
      recorded.sessionId,
    );
    return sentFields(postData, contentTypeOf(recorded.requestHeaders));
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Files, or gone with its document: then there is nothing to name.
    return [];
  }
}
