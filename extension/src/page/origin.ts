// The site that a call was authorized for.
import { Refused } from "../protocol/refused";

/** Nothing is done on any other. */
export function refuseOtherOrigin(authorized: string): void {
  if (location.origin === authorized) return;
  throw new Refused(
    "origin_changed",
    "The page went to another site meanwhile, so nothing was done. Take a new snapshot.",
    { origin: location.origin },
  );
}
