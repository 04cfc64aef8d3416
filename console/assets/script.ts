/**
 * The script of a page: `/` leads to the search box, and the page is kept up to date: every 3 s it asks for the same page, and idiomorph changes what is different.
 * Focus, open details, selections and half-typed forms stay. Pages work without it.
 */
export const script = String.raw`'use strict';
(() => {
  const searchBox = document.getElementById('search');
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || !searchBox) return;
    event.preventDefault();
    searchBox.focus();
    searchBox.select();
  });

  const intervalMs = 3000;
  const main = document.querySelector('main[data-live]');
  const live = document.getElementById('live');
  const announcer = document.getElementById('announcer');
  if (!main || !live) return;

  const isBeingFilledIn = (node) =>
    node instanceof Element && node.matches('input, textarea, select') && (node === document.activeElement || node.dataset.touched === 'yes');
  document.addEventListener('input', (event) => { event.target.dataset.touched = 'yes'; });

  // What the reader set, and not the page.
  const kept = { DETAILS: ['open'], INPUT: ['value', 'checked', 'data-touched'], SELECT: ['data-touched'], TEXTAREA: ['data-touched'] };
  const callbacks = {
    beforeNodeMorphed: (from) => !isBeingFilledIn(from),
    beforeAttributeUpdated: (name, element) => !(kept[element.nodeName] || []).includes(name),
  };

  function isSelecting() {
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode);
  }

  function showState(words, state) {
    if (live.textContent !== words) live.textContent = words;
    live.dataset.state = state;
  }

  function update(text) {
    const page = new DOMParser().parseFromString(text, 'text/html');
    const fresh = page.querySelector('main[data-live]');
    if (!fresh || isSelecting()) return;
    const before = main.dataset.announce;
    Idiomorph.morph(main, fresh, { callbacks });
    if (main.dataset.announce !== before && announcer) announcer.textContent = main.dataset.announce;
    document.title = page.title;
    showState((page.getElementById('live') || live).textContent, 'live');
  }

  let timer;
  let isUpdating = false;
  let stopped = false;
  async function fetchPage() {
    try {
      const response = await fetch(location.href, {
        headers: { 'X-Console-Live': 'yes' }, credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(10000),
      });
      if (response.status === 401) {
        stopped = true;
        showState('Signed out: this page is no longer updated. Load it again to sign in.', 'stopped');
      } else if (response.status >= 500) {
        showState('The console has an error; trying again.', 'lost');
      } else {
        update(await response.text());
      }
    } catch {
      showState('The console does not respond; trying again.', 'lost');
    }
  }
  function schedule(ms) {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, ms);
  }
  async function run() {
    if (isUpdating) return;
    isUpdating = true;
    if (document.visibilityState === 'visible') await fetchPage();
    isUpdating = false;
    schedule(intervalMs);
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isUpdating) schedule(200);
  });
  schedule(intervalMs);
})();
`;
