import { formatSpan } from '../lib/span';
import { assetPaths } from './assets/assets';
import { html, type Html, type HtmlValue } from './html';
import type { Flash, SignedInStaff } from './session';
import { timeText, utc, type Times } from './format';
import type { Page } from './consoleRequest';

/** What the frame around a page shows. */
export interface LayoutOptions {
  now: Date;
  formToken: string;
  flash: Flash | undefined;
  staff: SignedInStaff;
}

function htmlDocument(title: string, head: HtmlValue, body: HtmlValue): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  ${head}
  <title>${title} · Support console</title>
  <link rel="icon" type="image/svg+xml" href="${assetPaths.icon}">
  <link rel="stylesheet" href="${assetPaths.styles}">
</head>
${body}
</html>
`.text;
}

const flashMessage = (flash: Flash): Html =>
  html`<p class="flash ${flash.kind}" role="${flash.kind === 'done' ? 'status' : 'alert'}">${flash.text}</p>`;

/** Returns what the clock of a sandbox shows that is ahead; nothing for any other institution. */
const clockNotice = (times: Times, hasRealTimes: boolean): Html | null => (times.clockOffsetMs === 0 ? null : html`<p class="notice calm clock" id="sandbox-clock">The clock of this sandbox is ${formatSpan(times.clockOffsetMs)} ahead of the real time.
    It shows <time datetime="${times.now.toISOString()}">${timeText(times.now, times)}</time>.${hasRealTimes ? null : ' Times and ages are by this clock.'}</p>`);

/** Returns when a page was made, by the clock that its times are by. */
const asOf = (now: Date, times: Times | undefined): string =>
  times === undefined || times.clockOffsetMs === 0 ? `As of ${utc(now)}` : `As of ${utc(times.now)} by the clock of this sandbox; the real time is ${utc(now)}`;

/** Returns a page of a session; the script keeps its main part up to date. */
export function signedInPage({ title, body, times, hasRealTimes = false, announce, searchText = '', once }: Page, { now, formToken, flash, staff }: LayoutOptions): string {
  return htmlDocument(title, html`<script src="${assetPaths.idiomorph}" defer></script>
  <script src="${assetPaths.script}" defer></script>`, html`<body>
  <a class="skip" href="#main">Skip to content</a>
  <header class="top">
    <a class="brand" href="/console/institutions"><span class="mark" aria-hidden="true"></span><span class="brand-words">Support console</span></a>
    <form class="search" role="search" action="/console/search">
      <label class="unseen" for="search">Find by id, login email, school or URL</label>
      <input id="search" name="q" type="search" value="${searchText}" maxlength="200" placeholder="Id, email, school or URL" aria-keyshortcuts="/" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd class="key" aria-hidden="true">/</kbd>
      <button class="button plain">Find</button>
    </form>
    <nav aria-label="Main"><a href="/console/institutions">Institutions</a> <a href="/console/failing">Not working</a>${staff.role === 'operator' ? html` <a href="/console/staff">Staff</a>` : null}</nav>
    <form class="who" method="post" action="/console/sign-out"><span class="faint" title="${staff.role}, ${staff.id}">${staff.name}</span> <input type="hidden" name="form_token" value="${formToken}"><button class="button quiet">Sign out</button></form>
  </header>
  ${flash === undefined ? null : html`<div class="flashes">${flashMessage(flash)}</div>`}
  <main id="main" tabindex="-1"${once ? null : html` data-live data-announce="${announce ?? ''}"`}>${times === undefined ? null : clockNotice(times, hasRealTimes)}${body}</main>
  <footer><span id="live" class="live">${asOf(now, times)}</span> <span>Times are UTC, and below it those of the school where it has another time zone.</span> <span>Signed in: ${staff.name}, ${staff.role}, <code>${staff.id}</code></span><span id="announcer" class="unseen" role="status"></span></footer>
</body>`);
}

/** Returns a page without a session. */
export function signedOutPage(title: string, body: Html, head: HtmlValue = null): string {
  return htmlDocument(title, head, html`<body class="alone"><main id="main">${body}</main></body>`);
}
