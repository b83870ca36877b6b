// What a person sees of a page, asked of the page itself, so that no server's own idea of it counts. Runs in the
// page through Playwright; returns plain data for `yardstick.rs`.
() => {
  const CONTROLS =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], ' +
    '[role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=radio], [role=switch], ' +
    '[role=combobox], [role=textbox], [role=searchbox], [role=slider], [role=option]';
  // What a script may have made usable. Often a mere container, so it is judged by its text.
  const PERHAPS_CONTROLS = '[onclick], [tabindex]:not([tabindex="-1"])';
  const UNSEEN = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'OPTION', 'TEXTAREA']);

  const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

  // What is left of a box once everything around it has cut off what it doesn't show. What can be scrolled to is
  // seen; what lies outside of a box that hides its overflow isn't.
  const seenPart = (rect, innermost) => {
    let { left, top, right, bottom } = rect;
    let passesStatic = false;
    for (let around = innermost; around; around = parentOf(around)) {
      const style = getComputedStyle(around);
      const root = around === document.documentElement || around === document.body;
      const isContaining = !passesStatic || style.position !== 'static' || style.transform !== 'none';
      if (isContaining && !root) {
        const box = around.getBoundingClientRect();
        const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
        if (hides(style.overflowX)) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        if (hides(style.overflowY)) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        if (/^rect\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\)/.test(style.clip)) return null;
        if (/inset\((50|100)%/.test(style.clipPath)) return null;
        passesStatic = style.position === 'absolute';
        if (style.position === 'fixed') break;
      }
    }
    const page = document.documentElement;
    const isOnPage =
      right + scrollX > 0 && bottom + scrollY > 0 &&
      left + scrollX < Math.max(page.scrollWidth, innerWidth) &&
      top + scrollY < Math.max(page.scrollHeight, innerHeight);
    return isOnPage && right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };

  const everything = [];
  const gather = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      everything.push(node);
      if (node.shadowRoot) gather(node.shadowRoot);
    }
  };
  gather(document.body);

  const nameOfField = (field) => {
    if (field.type === 'password') return '';
    if (field.tagName === 'SELECT') return field.selectedOptions[0]?.text ?? '';
    if (field.type === 'checkbox' || field.type === 'radio' || field.type === 'range') return '';
    return field.value || field.placeholder || '';
  };
  const isField = (element) => element.matches('input, select, textarea');

  const texts = [];
  for (const node of everything) {
    if (node.nodeType === Node.TEXT_NODE) {
      const element = node.parentElement;
      if (!element || UNSEEN.has(element.tagName) || !node.data.trim() || !isShown(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if ([...range.getClientRects()].some((rect) => seenPart(rect, element))) texts.push(node.data);
    } else if (isField(node) && node.type !== 'hidden' && isShown(node)) {
      const shown = nameOfField(node);
      if (shown.trim() && seenPart(node.getBoundingClientRect(), parentOf(node))) texts.push(shown);
    }
  }

  const writtenOn = (element) => {
    const copy = element.cloneNode(true);
    for (const unseen of copy.querySelectorAll([...UNSEEN].join())) unseen.remove();
    return copy.textContent;
  };
  // All that somebody could call it by: what is written on it, and what it is labelled with.
  const namesOf = (element) => {
    const labelled = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
      .map((id) => element.getRootNode().getElementById?.(id)?.textContent ?? '').join(' ');
    const pictures = [...element.querySelectorAll('img[alt], svg title, [aria-label]')]
      .map((inner) => inner.getAttribute('alt') ?? inner.getAttribute('aria-label') ?? inner.textContent);
    const names = [
      element.innerText, element.getAttribute('aria-label'), labelled, element.title, element.getAttribute('alt'),
      element.getAttribute('placeholder'), writtenOn(element), pictures.join(' '), ...pictures,
      ...[...(element.labels ?? [])].map((label) => label.innerText),
      ...(isField(element) && element.type !== 'password' ? [element.value, nameOfField(element)] : []),
    ];
    return [...new Set(names.map((name) => (name ?? '').replace(/\s+/g, ' ').trim()).filter(Boolean))];
  };
  // Where a link leads; none for one that only runs a script.
  const targetOf = (element) => {
    const address = element.getAttribute('href') ?? '';
    return element.tagName === 'A' && !/^(#?$|javascript:)/i.test(address.trim()) ? element.href : null;
  };
  const isHit = (element, x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    for (; hit; hit = parentOf(hit)) if (hit === element) return true;
    return false;
  };
  const isInView = (part, element) => {
    const [x, y] = [(part.left + part.right) / 2, (part.top + part.bottom) / 2];
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && isHit(element, x, y);
  };

  const controls = [];
  for (const element of everything) {
    if (element.nodeType !== Node.ELEMENT_NODE) continue;
    const isCertain = element.matches(CONTROLS);
    if (!isCertain && !element.matches(PERHAPS_CONTROLS)) continue;
    if (!isShown(element)) continue;
    // A link that breaks over two lines has a box for each; the box around both may be hit nowhere.
    const boxes = [...element.getClientRects(), ...[...element.children].flatMap((child) => [...child.getClientRects()])];
    const parts = boxes.map((box) => seenPart(box, parentOf(element))).filter(Boolean);
    if (parts.length === 0) continue;
    controls.push({
      tag: element.tagName.toLowerCase(), names: namesOf(element), is_certain: isCertain,
      target: targetOf(element), is_wordless: !element.innerText?.trim(),
      is_nested: Boolean(element.parentElement?.closest(CONTROLS)),
      is_in_view: parts.some((part) => isInView(part, element)), html: element.outerHTML.slice(0, 200),
    });
  }

  // The least that a snapshot of the whole page has to say; kept as it was when its budget was set.
  const counted = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, ' +
    'summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=switch], [onclick], ' +
    '[contenteditable=true], [tabindex]:not([tabindex="-1"])')].filter((element) => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && box.width > 0 && box.height > 0;
  });
  return { text: document.body.innerText, counted: counted.length, texts, controls };
}
