/** The page of the interactive explorer, which sends calls with a key that is typed in; what it loads is next to it. */
export const tryPage = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Try calls – Institution API</title>
  <link rel="icon" type="image/png" href="favicon-32x32.png">
  <link rel="stylesheet" href="swagger-ui.css">
  <link rel="stylesheet" href="try.css">
</head>
<body>
  <div id="explorer"></div>
  <script src="swagger-ui-bundle.js"></script>
  <script src="try.js"></script>
</body>
</html>
`;

/**
 * Starts it with the document. A key that is typed in is kept for the pages of this tab, until it is closed or the key is taken
 * out again: each operation of the reference opens a page of its own.
 */
export const tryScript = `const keptAs = 'api-key';
const scheme = 'apiKey';
const keep = (key) => { try { if (key) sessionStorage.setItem(keptAs, key); else sessionStorage.removeItem(keptAs); } catch {} };
const kept = () => { try { return sessionStorage.getItem(keptAs); } catch { return null; } };
const keepsKey = () => ({
  statePlugins: { auth: { wrapActions: {
    authorize: (authorize) => (given) => { keep(given[scheme]?.value); return authorize(given); },
    logout: (logout) => (names) => { keep(null); return logout(names); },
  } } },
});
const explorer = SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#explorer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  plugins: [keepsKey],
  onComplete: () => { const key = kept(); if (key) explorer.preauthorizeApiKey(scheme, key); },
  validatorUrl: null,
});
`;

export const tryStyles = `body { margin: 0; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .title small.version-stamp { background-color: #2f6f4f; }
`;

/** The filter of the navigation, the buttons that copy, and the menu of narrow screens. Pages work without it. */
export const script = String.raw`'use strict';
(() => {
  const filter = document.getElementById('filter');
  const found = document.getElementById('found');
  const groups = [...document.querySelectorAll('nav .group')];
  const openBefore = new Map(groups.map((group) => [group, group.open]));
  const links = () => [...document.querySelectorAll('nav .group li:not([hidden]) a')].filter((link) => link.offsetParent !== null);

  function apply() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const group of groups) {
      group.removeAttribute('name');
      let matches = 0;
      for (const item of group.querySelectorAll('li')) {
        item.hidden = !words.every((word) => item.dataset.words.includes(word));
        if (!item.hidden) matches += 1;
      }
      group.hidden = matches === 0;
      group.open = words.length > 0 ? matches > 0 : openBefore.get(group);
      count += matches;
    }
    found.textContent = words.length === 0 ? '' : count === 1 ? '1 match' : count + ' matches';
  }
  filter.addEventListener('input', apply);
  filter.addEventListener('keydown', (event) => {
    const [first] = links();
    if (event.key === 'Escape') { filter.value = ''; apply(); }
    if (!first || filter.value === '') return;
    if (event.key === 'Enter') first.click();
    if (event.key === 'ArrowDown') { event.preventDefault(); first.focus(); }
  });
  document.querySelector('nav.operations').addEventListener('keydown', (event) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (at < 0 || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    (event.key === 'ArrowUp' && at === 0 ? filter : all[at + (event.key === 'ArrowDown' ? 1 : -1)] || all[at]).focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return;
    event.preventDefault();
    menu.open = true;
    filter.focus();
  });

  const menu = document.querySelector('details.menu');
  if (matchMedia('(max-width: 900px)').matches) menu.open = false;
  const current = document.querySelector('nav [aria-current]');
  if (current) {
    const box = document.querySelector('nav.operations');
    box.scrollTop = current.offsetTop - box.clientHeight / 3;
  }

  const languages = [...document.querySelectorAll('input[name=sample]')];
  for (const language of languages) {
    // The language that was chosen holds for the next page; where the browser stores nothing, each begins with the first.
    language.addEventListener('change', () => { try { localStorage.setItem('language', language.value); } catch {} });
    try { if (localStorage.getItem('language') === language.value) language.checked = true; } catch {}
  }

  for (const button of navigator.clipboard ? document.querySelectorAll('button.copy') : []) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }
})();
`;
