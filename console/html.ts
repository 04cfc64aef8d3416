export { Html, html, type HtmlValue } from '../lib/html';
