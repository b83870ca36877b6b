// What the user has allowed the page's site, as far as the browser tells. Whether
// the browser is asking them right now it tells nobody.
const NAMES = ["geolocation", "notifications", "camera", "microphone", "clipboard-read"];

export async function permissions(): Promise<Record<string, string>> {
  const states = NAMES.map(async (name) => {
    const { state } = await navigator.permissions.query({ name: name as PermissionName });
    return [name, state] as const;
  });
  const answers = await Promise.allSettled(states);
  // A browser may not know one of them.
  return Object.fromEntries(
    answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
  );
}
