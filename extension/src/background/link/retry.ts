// When to try again, and what to tell the user meanwhile. Pure: the clock and
// the dice are the caller's.
import { CloseCode } from "../../protocol/generated";

const FIRST_STEP_MS = 250;
const LONGEST_MS = 5_000;
/** A close code of WebSocket's own. */
const TRY_AGAIN_LATER = 1013;

/**
 * Before the retry that follows `failures` failures in a row. The first one is
 * at once: mostly the hub has just been restarted.
 */
export function delayBeforeRetry(failures: number, random: number): number {
  if (failures <= 1) return 0;
  const step = Math.min(LONGEST_MS, FIRST_STEP_MS * 2 ** (failures - 2));
  return Math.round(step * (0.5 + random / 2));
}

/** `soon`: with backoff. `slowly`: with the next alarm. `never`: when the user says so. */
export type Retry = "soon" | "slowly" | "never";

export interface Ending {
  retry: Retry;
  /** One sentence for the popup. */
  problem: string;
}

/**
 * What the end of a connection means. `opened` says whether the hub ever answered, `why`
 * is what the other side said.
 */
export function endingOf(code: number, opened: boolean, address: string, why = ""): Ending {
  switch (code) {
    case CloseCode.InvalidPairingToken:
      return {
        retry: "slowly",
        problem:
          "The hub did not accept the pairing token. Run `outrigger pair` and paste the token in Options.",
      };
    case CloseCode.UnsupportedProtocol:
      return {
        retry: "slowly",
        problem:
          "The hub speaks another version of the protocol. Update Outrigger, then reload this extension.",
      };
    case CloseCode.Replaced:
      return {
        retry: "slowly",
        problem:
          "Another connection of this browser profile took over. Press Connect to take it back.",
      };
    case CloseCode.Revoked:
      return {
        retry: "never",
        problem: "The hub ended this link. Press Connect if you want it back.",
      };
    case CloseCode.NoHub:
    case CloseCode.NotServed:
      return { retry: "slowly", problem: `Outrigger's program on this machine says: ${why}.` };
    case TRY_AGAIN_LATER:
      return { retry: "soon", problem: "The hub can't check tokens right now. Trying again." };
    case CloseCode.HandshakeTimeout:
      return { retry: "soon", problem: "The hub gave up waiting for this browser. Trying again." };
    default:
      return opened
        ? { retry: "soon", problem: "The connection to the hub was lost. Trying again." }
        : {
            retry: "soon",
            problem: `Nothing answers at ${address}. Start it with \`outrigger up\`.`,
          };
  }
}
