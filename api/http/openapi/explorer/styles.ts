/** The stylesheet of the reference: light and dark by what the system prefers, three columns where there is room. */
export const styles = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f7f7f9; --line: #e3e4ea; --text: #1c1e26; --soft: #565b6b; --accent: #4338ca; --hover: #ececf3; --code: #f4f4f8; --edge: #8b8fa0;
  --green: #14653a; --blue: #1d4ea3; --amber: #7f4a06; --red: #a51d24; --violet: #5b2fa8;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111217; --panel: #191a21; --line: #2d2f3a; --text: #ecedf2; --soft: #b3b7c5; --accent: #a5a8ff; --hover: #24262f; --code: #191a21; --edge: #6f7384;
    --green: #7fdca4; --blue: #9cc2ff; --amber: #f2c46d; --red: #ff9c9c; --violet: #cdb4ff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -0.01em; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 0.86rem; margin: 16px 0 2px; color: var(--soft); font-weight: 620; }
p { margin: 4px 0; }
ul { margin: 4px 0; padding-left: 18px; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre, kbd { font-family: var(--mono); font-size: 0.88em; overflow-wrap: anywhere; }
p code, li code, dd code { color: inherit; }
summary { cursor: pointer; }
.skip { position: absolute; left: 12px; top: -60px; background: var(--panel); padding: 8px 14px; z-index: 2; }
.skip:focus { top: 8px; }
header { display: flex; align-items: baseline; gap: 12px; padding: 10px 20px; border-bottom: 1px solid var(--line); height: 44px; }
header nav { margin-left: auto; display: flex; gap: 16px; }
.brand { color: var(--text); font-weight: 650; text-decoration: none; white-space: nowrap; }
.version { color: var(--soft); font-size: 0.86em; white-space: nowrap; }
.columns { display: grid; grid-template-columns: 290px minmax(0, 1fr); }
nav.operations { position: sticky; top: 0; height: calc(100vh - 44px); overflow-y: auto; background: var(--panel); border-right: 1px solid var(--line); padding: 10px 12px 24px; }
nav.operations .menu > summary { display: none; }
nav.operations label { font-size: 0.86em; color: var(--soft); }
kbd { border: 1px solid var(--edge); border-radius: 4px; padding: 0 5px; }
#filter { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--edge); border-radius: 7px; height: 32px; padding: 0 9px; margin: 2px 0 4px; }
#filter::placeholder { color: var(--soft); opacity: 1; }
#found { color: var(--soft); font-size: 0.86em; min-height: 0; margin: 0; }
.group > summary { font-weight: 600; padding: 5px 2px; }
.group ul { list-style: none; padding: 0; margin: 0 0 6px; }
.group a { display: grid; grid-template-columns: 46px minmax(0, 1fr); gap: 4px; padding: 3px 4px; border-radius: 5px; color: var(--text); text-decoration: none; font-size: 12px; overflow-wrap: anywhere; }
.group .method { font-size: 10px; line-height: 1.8; }
.group a:hover { background: var(--hover); }
.group a[aria-current] { background: var(--hover); font-weight: 620; }
.method { font: 600 11px/1.6 var(--mono); }
.method.get { color: var(--green); } .method.post { color: var(--blue); } .method.patch, .method.put { color: var(--amber); } .method.delete { color: var(--red); } .method.event { color: var(--violet); } .method.guide { color: var(--soft); }
main { padding: 16px 24px 32px; min-width: 0; }
main:focus { outline: none; }
.overview { max-width: 800px; }
.overview li a { display: inline-block; padding: 2px 0; }
dl { display: grid; grid-template-columns: 170px minmax(0, 1fr); gap: 4px 14px; margin: 4px 0; }
dt { font-weight: 600; } dd { margin: 0; }
.guide { max-width: 860px; font-size: 15px; line-height: 1.55; }
.guide h2 { font-size: 1.12rem; color: inherit; margin: 26px 0 6px; }
.guide h3 { font-size: 1rem; margin: 18px 0 4px; }
.guide p, .guide ul, .guide ol { margin: 8px 0; }
.guide .code { margin: 10px 0; }
.guide .code pre { max-height: 70vh; }
.guide table { border-collapse: collapse; margin: 10px 0; width: 100%; table-layout: auto; }
.guide th, .guide td { border: 1px solid var(--line); padding: 4px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 480px); gap: 28px; align-items: start; }
.call { margin: 0 0 6px; }
.call .method { font-size: 13px; }
.call > a { margin-left: 12px; }
.fields { list-style: none; padding: 0; margin: 2px 0; }
.fields > li { border-top: 1px solid var(--line); padding: 4px 0; }
.fields .fields { margin: 2px 0 2px 6px; padding-left: 12px; border-left: 2px solid var(--line); }
.name { font-weight: 620; }
.type { color: var(--soft); font-size: 0.9em; }
.required { color: var(--red); font-size: 0.86em; font-weight: 600; }
.about, .choices { margin: 1px 0; color: var(--soft); }
.fields summary, .response > summary { color: var(--accent); font-size: 0.92em; }
/* WCAG 2.5.8: at least 24 px where one may be next to another. */
.fields summary { padding: 3px 0; }
.error { border-top: 1px solid var(--line); }
.error > summary { padding: 4px 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.error[open] > summary { white-space: normal; }
.status { font: 600 12px var(--mono); color: var(--red); }
.common { border-top: 1px solid var(--line); padding-top: 5px; }
.shown { position: sticky; top: 12px; display: grid; gap: 12px; }
.code { margin: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--code); }
.code figcaption { display: flex; justify-content: space-between; align-items: center; padding: 4px 10px; border-bottom: 1px solid var(--line); color: var(--soft); font-size: 0.86em; min-height: 30px; }
.code pre { margin: 0; padding: 8px 10px; overflow: auto; max-height: 30vh; font-size: 12px; line-height: 1.45; }
.code pre code { font-size: inherit; overflow-wrap: normal; }
.code pre:focus-visible { outline-offset: -2px; }
.shown > .code:last-child pre { max-height: 46vh; }
.samples { border: 0; margin: 0; padding: 0; min-width: 0; }
.samples legend { float: left; padding: 3px 12px 3px 0; color: var(--soft); font-size: 0.86em; }
.samples input { position: absolute; opacity: 0; }
.samples label { display: inline-block; padding: 3px 10px; border-radius: 7px 7px 0 0; color: var(--soft); font-size: 0.86em; cursor: pointer; }
.samples input:checked + label { background: var(--hover); color: var(--text); font-weight: 620; }
.samples input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: -2px; }
.samples figure { display: none; clear: both; }
#sample-curl:checked ~ .curl, #sample-typescript:checked ~ .typescript, #sample-python:checked ~ .python { display: block; }
.copy { font: inherit; color: var(--accent); background: none; border: 0; padding: 0 4px; cursor: pointer; }
@media (max-width: 900px) {
  .columns, .operation { grid-template-columns: minmax(0, 1fr); }
  .operation { gap: 14px; }
  nav.operations { position: static; height: auto; max-height: 70vh; border-right: 0; border-bottom: 1px solid var(--line); }
  nav.operations .menu > summary { display: list-item; font-weight: 600; }
  .shown { position: static; }
  main { padding: 14px 16px 28px; }
  header { padding: 10px 16px; }
  .version { display: none; }
  .error > summary { white-space: normal; }
  dl { grid-template-columns: minmax(0, 1fr); }
}
`;
