/** The one stylesheet: light and dark by what the system prefers, tables as cards where there is little room. */
export const styles = `
:root {
  color-scheme: light dark;
  --ground: #f7f7f9; --panel: #ffffff; --line: #e3e4ea; --edge: #8b8fa0; --text: #1c1e26; --soft: #565b6b; --faint: #666b7b;
  --accent: #4338ca; --accent-ground: #4f46e5; --on-accent: #ffffff; --hover: #f1f1f6; --focus: #4f46e5; --code: #f1f1f6;
  --green: #14653a; --green-ground: #e2f5e9; --amber: #7f4a06; --amber-ground: #fdf0d3; --red: #a51d24; --red-ground: #fde8e8;
  --blue: #1d4ea3; --blue-ground: #e4edfd; --violet: #5b2fa8; --violet-ground: #f0e9fd; --grey: #4b5060; --grey-ground: #ececf1;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111217; --panel: #191a21; --line: #2d2f3a; --edge: #6f7384; --text: #ecedf2; --soft: #b3b7c5; --faint: #9da1b1;
    --accent: #a5a8ff; --accent-ground: #5b55e8; --on-accent: #ffffff; --hover: #22242d; --focus: #a5a8ff; --code: #24262f;
    --green: #7fdca4; --green-ground: #14301f; --amber: #f2c46d; --amber-ground: #372a10; --red: #ff9c9c; --red-ground: #3d1a1d;
    --blue: #9cc2ff; --blue-ground: #172a48; --violet: #cdb4ff; --violet-ground: #2b2044; --grey: #c3c6d2; --grey-ground: #2a2c36;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 var(--sans); }
main { max-width: 1180px; margin: 0 auto; padding: 28px 24px 40px; }
main:focus, h1:focus { outline: none; }
h1 { font-size: 1.5rem; line-height: 1.3; letter-spacing: -0.015em; font-weight: 650; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; font-weight: 620; margin: 0; }
p { margin: 0; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
p a, .notice a { text-decoration: underline; text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.86em; }
code { overflow-wrap: anywhere; }
code.id { background: var(--code); border-radius: 5px; padding: 2px 6px; user-select: all; }
a code { color: inherit; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 12px; top: -60px; z-index: 2; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 8px 14px; }
.skip:focus { top: 10px; }
.faint { color: var(--faint); }
.when { font-size: 1rem; font-weight: 400; letter-spacing: 0; color: var(--soft); }

.top { display: flex; align-items: center; gap: 20px; padding: 12px max(24px, calc((100% - 1132px) / 2)); background: var(--panel); border-bottom: 1px solid var(--line); }
.brand { display: inline-flex; align-items: center; gap: 10px; color: var(--text); font-weight: 650; white-space: nowrap; }
.brand:hover { text-decoration: none; }
.mark { width: 20px; height: 20px; border-radius: 6px; background: var(--accent-ground); }
.top nav { display: flex; gap: 16px; }
.top nav a { color: var(--soft); font-weight: 550; }
.pad > .filters:first-child { margin-top: 0; }
.filters + .nothing { margin-top: 10px; }
.who { display: flex; align-items: center; gap: 10px; }
.who span { max-width: 9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.search { flex: 1; display: flex; gap: 8px; max-width: 560px; margin-left: auto; }
.search { position: relative; }
.search input { flex: 1; min-width: 0; }
.search .key { align-self: center; margin-left: -38px; margin-right: 12px; pointer-events: none; border: 1px solid var(--line); border-radius: 5px; padding: 0 6px; font: 0.8rem/1.5 var(--mono); color: var(--faint); }
.search input:focus + .key, .search input:not(:placeholder-shown) + .key { visibility: hidden; }

input, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 8px; padding: 0 10px; height: 38px; max-width: 100%; }
input::placeholder { color: var(--faint); opacity: 1; }
.button { font: inherit; font-weight: 560; border-radius: 8px; border: 1px solid var(--line); background: var(--panel); color: var(--text); padding: 0 14px; min-height: 38px; line-height: 1.3; cursor: pointer; white-space: nowrap; display: inline-flex; align-items: center; }
a.button:hover { text-decoration: none; }
.button:hover { background: var(--hover); }
.button.plain, .button.danger { border-color: var(--edge); }
.button.main { background: var(--accent-ground); border-color: var(--accent-ground); color: var(--on-accent); }
.button.main:hover { filter: brightness(1.08); }
.button.danger { color: var(--red); }
.button.quiet { border-color: transparent; background: none; color: var(--soft); padding: 0 8px; margin-right: -8px; }
.button.quiet:hover { background: var(--hover); }

.flashes { max-width: 1180px; margin: 0 auto; padding: 20px 24px 0; }
.flash, .notice { border-radius: 10px; padding: 11px 15px; border: 1px solid transparent; overflow-wrap: anywhere; }
.flash.done { background: var(--green-ground); color: var(--green); }
.flash.refused, .notice.bad { background: var(--red-ground); color: var(--red); }
.notice { margin-top: 16px; }
.notice ul { margin: 6px 0 0; padding-left: 18px; }
.notice li + li { margin-top: 4px; }
.notice.warn { background: var(--amber-ground); color: var(--amber); }
.notice.calm { background: var(--blue-ground); color: var(--blue); }
.notice.clock { margin: 0 0 16px; }
.notice a { color: inherit; }

.crumbs { display: flex; flex-wrap: wrap; gap: 4px 8px; margin: 0 0 10px; padding: 0; list-style: none; font-size: 0.9rem; color: var(--faint); }
.crumbs li + li::before { content: "/"; margin-right: 8px; color: var(--faint); }
.head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 16px; }
.head .title { min-width: 0; flex: 1 1 420px; }
.title-line { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; }
.sub { margin-top: 6px; color: var(--soft); overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 10px; }
.actions .faint { align-self: center; }
.sentence { margin-top: 18px; font-size: 1.08rem; line-height: 1.5; }

.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; margin-top: 24px; }
.panel-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; padding: 14px 18px; border-bottom: 1px solid var(--line); }
.panel > .nothing, .pad { padding: 18px; }
.nothing { color: var(--soft); }
.links { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 0.93rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 0 24px; align-items: start; }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 230px), 1fr)); gap: 16px 24px; margin: 0; padding: 18px; }
.facts dt { color: var(--soft); font-size: 0.86rem; }
.facts dd { margin: 3px 0 0; overflow-wrap: anywhere; }
.facts .utc, .facts .local, td .utc, td .local { display: block; font-size: 0.82rem; color: var(--faint); }
td .utc, td .local { white-space: nowrap; }
.big { font-size: 1.35rem; font-weight: 620; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }

.badge { display: inline-flex; align-items: center; gap: 6px; border-radius: 999px; padding: 2px 10px 2px 8px; font-size: 0.82rem; font-weight: 580; line-height: 1.5; white-space: nowrap; background: var(--grey-ground); color: var(--grey); }
.badge::before { content: ""; width: 7px; height: 7px; border-radius: 50%; background: currentColor; flex: none; }
.badge-delivered, .badge-active, .badge-approved, .badge-healthy { background: var(--green-ground); color: var(--green); }
.badge-retrying, .badge-failing { background: var(--amber-ground); color: var(--amber); }
.badge-dead, .badge-deleted, .badge-disabled, .badge-revoked, .badge-suspended, .badge-open, .badge-failed, .badge-locked { background: var(--red-ground); color: var(--red); }
.badge-pending { background: var(--blue-ground); color: var(--blue); }
.badge-held, .badge-paused { background: var(--violet-ground); color: var(--violet); }

table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: 0.84rem; font-weight: 560; color: var(--soft); padding: 10px 14px 8px; white-space: nowrap; border-bottom: 1px solid var(--line); }
td { padding: 11px 14px; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
tbody tr:first-child td { border-top: 0; }
tbody tr:hover { background: var(--hover); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td .second, .facts .second, .notice .second, .pad .second { display: block; color: var(--faint); font-size: 0.86rem; }
td .relative, td .badge, td .word, td .second code { white-space: nowrap; }
td .second code.route, td .second code.answer { white-space: normal; }
td .second code.answer { display: block; max-width: 24rem; }
td.number .second { white-space: normal; }
.tags { display: flex; flex-wrap: wrap; gap: 4px; }

.filters { display: flex; flex-wrap: wrap; gap: 12px 10px; align-items: end; margin-top: 20px; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; min-width: 0; max-width: 100%; }
.field label { font-size: 0.86rem; color: var(--soft); }
.range { display: flex; flex-wrap: wrap; gap: 12px 10px; align-items: start; min-width: 0; }
.field.wide { flex: 1 1 160px; }
.field.narrow { width: 140px; }
.field.narrow input, .field.narrow select { width: 100%; }
.field.wide input, .field.wide select { width: 100%; }
.problem { font-size: 0.86rem; color: var(--red); }
input[aria-invalid] { border-color: var(--red); }
.fold { margin-top: 20px; }
.fold .filters { margin-top: 12px; }
.others > summary { padding: 14px 18px; }
.pager { display: flex; justify-content: space-between; gap: 12px; margin-top: 16px; }
.inline { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; }

.timeline { list-style: none; margin: 0; padding: 6px 18px 14px; }
.timeline > li { position: relative; padding: 12px 0 12px 26px; }
.timeline > li::before { content: ""; position: absolute; left: 3px; top: 20px; width: 9px; height: 9px; border-radius: 50%; background: var(--red); }
.timeline > li.good::before { background: var(--green); }
.timeline > li.ahead::before { background: var(--panel); border: 2px solid var(--blue); width: 11px; height: 11px; left: 2px; }
.timeline > li::after { content: ""; position: absolute; left: 7px; top: 34px; bottom: -16px; width: 1px; background: var(--line); }
.timeline > li:last-child::after { display: none; }
.timeline .timeline { padding: 6px 0 0; }
.attempt-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.attempt-head strong { font-weight: 600; }
.attempt-head .utc, .attempt-head .local { color: var(--faint); font-size: 0.86rem; }
.attempt-head time { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; }
.attempt-more { color: var(--soft); font-size: 0.92rem; margin-top: 2px; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--accent); font-size: 0.92rem; width: fit-content; }
pre { margin: 8px 0 0; padding: 12px 14px; background: var(--code); border-radius: 8px; overflow: auto; max-height: 480px; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
.pad > pre:first-child { margin-top: 0; }
progress { width: 100%; height: 10px; accent-color: var(--accent-ground); }

.chart { margin: 0; padding: 4px 18px 16px; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 8px; }
.chart figcaption { grid-column: 1 / -1; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 2px 16px; margin-bottom: 12px; font-size: 0.86rem; color: var(--soft); }
.chart strong { font-weight: 560; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; }
.legend > span { display: inline-flex; align-items: center; gap: 6px; }
.swatch { width: 14px; height: 12px; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -0.6em 0; font-size: 0.78rem; line-height: 1.2; color: var(--faint); font-variant-numeric: tabular-nums; }
.plot { display: block; width: 100%; height: 96px; overflow: visible; }
.axis { grid-column: 2; display: flex; justify-content: space-between; gap: 12px; margin-top: 6px; font-size: 0.78rem; line-height: 1.4; color: var(--faint); }
.axis > :last-child { text-align: right; }
.axis span, .numbers time span { display: block; }
.grid { stroke: var(--line); fill: none; vector-effect: non-scaling-stroke; }
.succeeded { fill: var(--accent-ground); }
.failed { fill: var(--red); }
.failed-ground { fill: var(--red-ground); }
.hover { fill: transparent; }
g:hover > .hover { fill: var(--hover); }
.line { fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.dot { stroke-width: 6; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.p50 { stroke: var(--accent); }
.p95 { stroke: var(--amber); }
.line.p95 { stroke-dasharray: 1 5; }
.numbers { padding: 0 18px 16px; }
.numbers table { margin: 8px 0; }
.numbers th, .numbers td { padding: 6px 0 6px 16px; }
.numbers th:first-child, .numbers td:first-child { padding-left: 0; }
.numbers th:last-child, .numbers td:last-child { padding-right: 0; }
.numbers .local { font-size: 0.82rem; color: var(--faint); }

footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 20px; max-width: 1180px; margin: 0 auto; padding: 0 24px 28px; color: var(--faint); font-size: 0.86rem; }
.live[data-state="live"]::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; background: var(--green); margin-right: 7px; }
.live[data-state="lost"], .live[data-state="stopped"] { color: var(--red); font-weight: 560; }

.alone main { max-width: 420px; padding-top: 14vh; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 28px; display: grid; gap: 18px; }
.card form { display: grid; gap: 14px; }
.card .button { justify-content: center; }

/* Half a window and an upright tablet have no room for a header in one row, nor for tables. */
@media (max-width: 1099px) {
  .top { flex-wrap: wrap; padding: 10px 16px; gap: 8px 14px; }
  .top .search { order: 5; flex-basis: 100%; max-width: none; margin: 0; }
  .top nav { margin-left: auto; }
  .top nav + form { margin-left: 0; }
  table, thead, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 12px 16px; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  td, td.number { border: 0; padding: 3px 0; display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: 10px; text-align: left; }
  td .second code { white-space: normal; font-size: 0.8em; }
  td .utc, td .local { white-space: normal; }
  .search .key { display: none; }
  td::before { content: attr(data-title); color: var(--soft); font-size: 0.86rem; line-height: 1.75; }
  /* Numbers alone stay a table. */
  .numbers table { display: table; font-size: 0.8rem; }
  .numbers thead { display: table-header-group; position: static; clip-path: none; }
  .numbers tbody { display: table-row-group; }
  .numbers tr { display: table-row; }
  .numbers td, .numbers td.number { display: table-cell; padding: 6px 0 6px 8px; border-top: 1px solid var(--line); }
  .numbers td:first-child { min-width: 88px; }
  .numbers td.number { text-align: right; }
  .numbers th { font-size: 0.78rem; padding: 6px 0 6px 8px; }
  .numbers .local { font-size: 0.75rem; }
  .numbers td::before { content: none; }
}
@media (max-width: 760px) {
  /* Attempts may be many. */
  #attempts + #payload { order: -1; }
  main { padding: 20px 16px 32px; }
  .flashes, footer { padding-left: 16px; padding-right: 16px; }
  .alone main { padding-top: 8vh; }
  .panel-head, .facts, .panel > .nothing, .pad, .chart, .numbers, .others > summary { padding-left: 16px; padding-right: 16px; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .facts > div:not(:has(.big)) { grid-column: 1 / -1; }
  .range, .field, .field.narrow, .field input, .field select { width: 100%; }
  .filters .inline { flex: 1 1 100%; flex-wrap: nowrap; }
  .filters .button, .field.wide { flex: 1 1 100%; justify-content: center; }
  /* An id fits into a line of 390 px. */
  td code.id { font-size: 0.78em; padding: 2px 4px; }
}
@media (max-width: 480px) {
  .top, .top nav { gap: 8px; }
  .brand { gap: 6px; }
  .brand, .top nav a, .top .quiet { font-size: 0.84rem; }
  .top .quiet { padding: 0; margin-right: 0; }
  .who span { display: none; }
  /* Five columns fit into a card of 375 px. */
  .numbers table { font-size: 0.74rem; }
  .numbers th { font-size: 0.72rem; }
  .numbers th, .numbers td, .numbers td.number { padding-left: 3px; }
  .numbers td:first-child { min-width: 0; }
  /* With the link of operators the mark stands for the words, which screen readers still have. */
  .top:has(nav a + a) .brand-words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .top:has(nav a + a) .mark { width: 24px; height: 24px; }
}
/* Wide screens have room for the filters; a browser that cannot unfold them by style keeps the summary. */
@supports selector(::details-content) {
  @media (min-width: 761px) {
    .fold > summary { display: none; }
    .fold::details-content { content-visibility: visible; }
    .fold .filters { margin-top: 0; }
  }
}
@media (min-width: 1100px) {
  th:first-child, td:first-child { padding-left: 18px; }
  th:last-child, td:last-child { padding-right: 18px; }
}
@media (min-width: 1100px) {
  /* Addresses and ids are not broken to make room for sentences. */
  #endpoints td:first-child { min-width: 320px; }
  /* Where they are long, the other columns wrap. */
  #endpoints td .badge, #endpoints td .local { white-space: normal; overflow-wrap: normal; }
  td code.id { font-size: 0.8em; white-space: nowrap; }
}
@media (min-width: 1400px) {
  #endpoints td .badge { white-space: nowrap; }
}
@media (prefers-reduced-motion: no-preference) {
  .button { transition: background 0.12s; }
}
`;
