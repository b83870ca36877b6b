// What the user decided for good, with a hand on each of it. It is the user's own
// page and the user's own press, so nobody is asked once more.
import { button, type Card, KeyedList, make, setText } from "../panel/keyed-list";
import { whenPressed } from "../pressed";
import type { HelmState, ListedSite, Rule, SiteList, UserCommand } from "../protocol/generated";
import { byId } from "../status-words";

type Order = (command: UserCommand) => void;

export class RulesSection {
  readonly #policies: KeyedList<Rule>;
  readonly #sites: KeyedList<ListedSite>;

  constructor(order: Order) {
    const list = (id: string) => byId(id, HTMLUListElement);
    this.#policies = new KeyedList(list("policies"), ({ tools, origins }) =>
      row(`${tools} on ${origins}`, "Forget", () =>
        order({ command: "forgetRule", tools, origins }),
      ),
    );
    this.#sites = new KeyedList(list("sites"), ({ domain }) =>
      row(domain, "Remove", () => order({ command: "listSite", domain })),
    );
    const site = byId("site", HTMLInputElement);
    byId("site-form", HTMLFormElement).addEventListener("submit", (event) =>
      event.preventDefault(),
    );
    const enter = (on: SiteList) => {
      const domain = site.value.trim();
      if (domain === "") return site.focus();
      order({ command: "listSite", domain, list: on });
      site.value = "";
    };
    whenPressed(byId("trust-site", HTMLButtonElement), () => enter("trusted"));
    whenPressed(byId("block-site", HTMLButtonElement), () => enter("blocked"));
  }

  show(helm: HelmState | undefined): void {
    const rules = helm?.rules;
    byId("rules", HTMLElement).hidden = rules === undefined;
    if (!rules) return;
    byId("no-policies", HTMLElement).hidden = rules.policies.length > 0;
    this.#policies.show(
      new Map(rules.policies.map((rule) => [`${rule.tools} ${rule.origins}`, rule])),
    );
    this.#sites.show(new Map(rules.sites.map((each) => [each.domain, each])));
  }
}

type Shown = Rule | ListedSite;

/** What it is about, how it stands, and what takes it back. */
function row<Item extends Shown>(name: string, words: string, act: () => void): Card<Item> {
  const standing = make("span", "standing");
  const remove = button(words, act, "small");
  remove.ariaLabel = `${words}: ${name}`;
  const element = make("li", "line", standing, make("code", "", make("bdi", "", name)), remove);
  return {
    element,
    show(item) {
      setText(standing, standingOf(item));
      element.dataset.standing = standingOf(item);
    },
  };
}

function standingOf(item: Shown): string {
  if ("allow" in item) return item.allow ? "Allowed" : "Denied";
  return item.list === "trusted" ? "Trusted" : "Blocked";
}
