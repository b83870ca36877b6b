// How long the page was kept from its own work: a worker, whose clock nobody slows down in a tab that isn't looked
// at, sends the time every few milliseconds; how late it arrives is how long the page was blocked.
if (location.search === "?heartbeat") {
  const now = () => performance.timeOrigin + performance.now();
  const source = "setInterval(() => postMessage(performance.timeOrigin + performance.now()), 4)";
  const clock = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  let told = now();
  let longest = 0;
  clock.onmessage = ({ data: sent }) => {
    const arrived = now();
    longest = Math.max(longest, arrived - sent);
    if (arrived - told < 100) return;
    fetch(`/heartbeat?from=${told}&until=${arrived}&longest=${longest}`, { method: "POST" }).catch(() => {});
    told = arrived;
    longest = 0;
  };
}
