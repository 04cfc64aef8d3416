/**
 * What keeps a page up to date while one looks: every 3 s it asks for the same page and changes what is different, node by
 * node, so that focus, open details, selections and half-typed forms stay. A plain script: pages work without it.
 */
export const script = String.raw`'use strict';
(() => {
  const everyMs = 3000;
  const main = document.querySelector('main[data-live]');
  const live = document.getElementById('live');
  const announcer = document.getElementById('announcer');
  if (!main || !live) return;

  const typedInto = (field) =>
    field.matches('input, textarea, select') && (field === document.activeElement || field.dataset.touched === 'yes');
  document.addEventListener('input', (event) => { event.target.dataset.touched = 'yes'; });

  const kept = { DETAILS: ['open'], INPUT: ['value', 'checked', 'data-touched'], SELECT: ['data-touched'], TEXTAREA: ['data-touched'] };
  function changeAttributes(from, to) {
    const keeps = kept[from.nodeName] || [];
    for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !keeps.includes(name)) from.removeAttribute(name);
    for (const { name, value } of to.attributes) {
      if (from.getAttribute(name) !== value && !keeps.includes(name)) from.setAttribute(name, value);
    }
  }

  const keyOf = (node) => (node && node.nodeType === Node.ELEMENT_NODE ? node.id : '');
  const isSameKind = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

  function change(from, to) {
    if (from.isEqualNode(to) || (from.nodeType === Node.ELEMENT_NODE && typedInto(from))) return;
    if (from.nodeType !== Node.ELEMENT_NODE) {
      from.nodeValue = to.nodeValue;
      return;
    }
    changeAttributes(from, to);
    changeChildren(from, to);
  }

  function changeChildren(from, to) {
    const byKey = new Map([...from.children].filter((child) => child.id !== '').map((child) => [child.id, child]));
    const wanted = new Set([...to.children].map(keyOf));
    let at = from.firstChild;
    for (const next of [...to.childNodes]) {
      // What is known by a key and no longer wanted goes before it is taken for something else.
      while (at && keyOf(at) !== '' && !wanted.has(keyOf(at))) {
        const gone = at;
        at = at.nextSibling;
        gone.remove();
      }
      const known = keyOf(next) === '' ? undefined : byKey.get(keyOf(next));
      if (known && known.nodeName === next.nodeName && known.parentNode === from) {
        if (known === at) at = at.nextSibling;
        else from.insertBefore(known, at);
        change(known, next);
      } else if (at && isSameKind(at, next)) {
        const same = at;
        at = at.nextSibling;
        change(same, next);
      } else {
        from.insertBefore(document.importNode(next, true), at);
      }
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  }

  function isSelecting() {
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode);
  }

  function say(words, state) {
    if (live.textContent !== words) live.textContent = words;
    live.dataset.state = state;
  }

  function bringUpToDate(text) {
    const page = new DOMParser().parseFromString(text, 'text/html');
    const fresh = page.querySelector('main[data-live]');
    if (!fresh || isSelecting()) return;
    const focused = document.activeElement;
    const before = main.dataset.announce;
    change(main, fresh);
    if (focused && focused.id && focused !== document.activeElement) document.getElementById(focused.id)?.focus();
    if (main.dataset.announce !== before && announcer) announcer.textContent = main.dataset.announce;
    document.title = page.title;
    say((page.getElementById('live') || live).textContent, 'live');
  }

  let timer;
  let looking = false;
  let stopped = false;
  async function look() {
    try {
      const answer = await fetch(location.href, {
        headers: { 'X-Console-Live': 'yes' }, credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(10000),
      });
      if (answer.status === 401) {
        stopped = true;
        say('Signed out: this page is no longer updated. Load it again to sign in.', 'stopped');
      } else if (answer.status >= 500) {
        say('The console has trouble; trying again.', 'lost');
      } else {
        bringUpToDate(await answer.text());
      }
    } catch {
      say('The console does not answer; trying again.', 'lost');
    }
  }
  function lookIn(ms) {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(round, ms);
  }
  async function round() {
    if (looking) return;
    looking = true;
    if (document.visibilityState === 'visible') await look();
    looking = false;
    lookIn(everyMs);
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !looking) lookIn(200);
  });
  lookIn(everyMs);
})();
`;
