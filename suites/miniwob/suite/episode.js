// Served at the end of MiniWoB's own core.js: begins the episode that the address
// asks for, and tells the harness the sentence and the reward. Nothing of it is
// for a policy to read.
(function () {
  var asked = new URLSearchParams(location.search);
  if (!asked.has("episode")) return;
  var LIMIT = 90000; // as a person would have it; MiniWoB's own is set for robots

  function tell(what, more) {
    more.episode = asked.get("episode");
    navigator.sendBeacon("/" + what, JSON.stringify(more));
  }

  var end = core.endEpisode;
  core.endEpisode = function () {
    var before = WOB_EPISODE_ID;
    end.apply(core, arguments);
    if (WOB_EPISODE_ID === before) return;
    tell("reward", { reward: WOB_RAW_REWARD_GLOBAL });
  };

  function begin() {
    Math.seedrandom(asked.get("seed"));
    core.EPISODE_MAX_TIME = LIMIT;
    core.startEpisodeReal();
    // Score and clock are the harness's; a page that changes every second by itself is another test.
    core.hideDisplay();
    ready();
  }

  function ready() {
    if (WOB_TASK_READY) tell("began", { sentence: core.getUtterance() });
    else setTimeout(ready, 20);
  }

  Math.seedrandom(asked.get("seed"));
  // After the page's own `onload`, which is set later than this.
  addEventListener("load", function () { setTimeout(begin, 0); });
})();
