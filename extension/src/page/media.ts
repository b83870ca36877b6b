// What plays: where it stands, in words that are as short as a player's own.

/** `paused 0:12/3:40`, `playing 0:12/3:40 muted`, `not loaded`. */
export function mediaState(media: HTMLMediaElement): string {
  if (media.readyState === HTMLMediaElement.HAVE_NOTHING) return "not loaded";
  const doing = media.ended ? "ended" : media.paused ? "paused" : "playing";
  // A live stream has no end.
  const end = Number.isFinite(media.duration) ? `/${clockTime(media.duration)}` : "";
  const muted = media.muted || media.volume === 0 ? " muted" : "";
  return `${doing} ${clockTime(media.currentTime)}${end}${muted}`;
}

function clockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const last = twoDigits(whole % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${last}` : `${minutes}:${last}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
