import { html, type Html, type HtmlValue } from '../../../../lib/html';
import type { ErrorCode } from '../../../../domain/errors';
import { statusOf } from '../../errors';
import type { OperationObject, Parameter } from '../describeOperation';
import type { LocatedOperation, OpenApiDocument } from '../document';
import { commonErrorsOfKeys, describeOwnError, errorDescriptions, errorExamples } from '../errorResponses';
import type { ResolveRef } from '../examples';
import type { MediaType } from '../jsonSchema';
import { countRows, parameterFields, schemaFields } from './fields';
import type { WebhookObject } from '../webhooks';
import type { Guide } from './guides';
import { layout, rootOf, tagList, type Reference } from './layout';
import { renderGuide } from './markdown';
import { samplesOf, type Sample } from './samples';
import { codeBlock, paragraphs, prettyValue, sentence } from './texts';

/** Looks up the references of a document. */
const resolver = ({ components }: OpenApiDocument): ResolveRef => (ref) => {
  const found = components.schemas[ref.slice('#/components/schemas/'.length)];
  if (found === undefined) throw new Error(`${ref} is not in the document`);
  return found;
};

const section = (title: string, content: HtmlValue): HtmlValue => html`<section><h2>${title}</h2>${content}</section>`;

/** Returns the example of an error: that of an operation, where it has one of its own. */
function errorExample(code: ErrorCode, { responses }: Pick<OperationObject, 'responses'>): unknown {
  const response = responses[String(statusOf[code])];
  const examples = response !== undefined && 'content' in response ? response.content['application/json']?.examples : undefined;
  return (examples ?? errorExamples([code]))[code]?.value;
}

function errorLine(code: ErrorCode, operation?: OperationObject): Html {
  const description = operation === undefined ? errorDescriptions[code] : describeOwnError(code);
  return html`<details class="error"><summary><span class="status">${statusOf[code]}</span> <code>${code}</code> <span class="about">${sentence(description)}</span></summary>${codeBlock(`Example of ${code}`, prettyValue(errorExample(code, operation ?? { responses: {} })))}</details>`;
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** The call in each language, of which one is shown. */
function sampleTabs(samples: readonly Sample[]): Html {
  const tabs = samples.map(({ id, language }, nth) => html`<input type="radio" name="sample" id="sample-${id}" value="${id}"${nth === 0 && html` checked`}><label for="sample-${id}">${language}</label>`);
  return html`<fieldset class="samples"><legend>Request</legend>${tabs}${samples.map(({ id, language, text }) => codeBlock(`Request, ${language}`, text, { className: id }))}</fieldset>`;
}

const ofPlace = (parameters: readonly Parameter[], place: Parameter['in']): Parameter[] => parameters.filter((parameter) => parameter.in === place);

const firstContent = (content: Record<string, MediaType>): [string, MediaType] | undefined => Object.entries(content)[0];

/** How many rows of fields fit on a screen with the errors below them. */
const maxRows = 5;

/** Returns the page of an operation: its fields and errors next to the examples of its request and response. */
export function operationPage(reference: Reference, located: LocatedOperation): Html {
  const { document } = reference;
  const { path, method, operation } = located;
  const resolve = resolver(document);
  const { parameters = [], requestBody, responses, tags: [tag = ''] } = operation;
  const success = responses['200'];
  const [type, body] = (success !== undefined && 'content' in success ? firstContent(success.content) : undefined) ?? [];
  const data = body?.schema.properties?.data;
  const [, sent] = firstContent(requestBody?.content ?? {}) ?? [];
  const places = (['path', 'query', 'header'] as const).map((place) => [{ path: 'Path', query: 'Query', header: 'Headers' }[place], ofPlace(parameters, place)] as const).filter(([, found]) => found.length > 0);
  const shown = countRows(parameters, sent?.schema, resolve) > maxRows ? 'folded' : 'all';
  const content = html`<div class="operation"><div class="said">
<h1>${sentence(operation.summary)}</h1>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code> <a href="${rootOf('operations/x')}try#/${encodeURIComponent(tag)}/${operation.operationId}">Try it</a></p>
${operation.description !== undefined && paragraphs(operation.description)}
${places.map(([title, found]) => section(title, parameterFields(found, resolve, shown)))}
${sent !== undefined && section('Body', schemaFields(sent.schema, resolve, 'request', shown))}
${data !== undefined && section('Response', html`<details class="response"><summary>Fields of <code>data</code></summary>${schemaFields(data, resolve, 'response')}</details>`)}
${section('Errors', html`${operation['x-errors'].map((code) => errorLine(code, operation))}<p class="common"><a href="../../docs#errors">Errors of every call</a></p>`)}
</div><div class="shown">
${sampleTabs(samplesOf(document, located))}
${body !== undefined && codeBlock('Response 200', type === 'application/json' ? prettyValue(body.example) : valueText(body.example))}
</div></div>`;
  return layout(reference, { title: operation.summary, path: `operations/${operation.operationId}`, content });
}

/** Returns the page of an event: its data next to a delivery of it. */
export function eventPage(reference: Reference, type: string, webhook: WebhookObject): Html {
  const { document } = reference;
  const resolve = resolver(document);
  const [, sent] = firstContent(webhook.requestBody.content) ?? [];
  const headers = Object.values(document.components.parameters ?? {});
  const content = html`<div class="operation"><div class="said">
<h1><code>${type}</code></h1>
<p class="call"><span class="method event">EVENT</span> ${sentence(webhook.summary)}</p>
${sent !== undefined && section('Body', schemaFields(sent.schema, resolve, 'response'))}
${section('Answers of the receiver', html`<ul class="fields">${Object.entries(webhook.responses).sort(([one], [other]) => Number(other === '2XX') - Number(one === '2XX')).map(([status, { description }]) => html`<li><code class="name">${status}</code> ${sentence(description)}</li>`)}</ul>`)}
${section('Headers', parameterFields(headers, resolve))}
</div><div class="shown">
${codeBlock('Body of the POST to the endpoint', prettyValue(sent?.example))}
</div></div>`;
  return layout(reference, { title: type, path: `events/${type}`, content });
}

/** Returns the first page. */
export function overviewPage(reference: Reference): Html {
  const { document, guides } = reference;
  const { title, description } = document.info;
  const content = html`<div class="overview"><h1>${title}</h1>
${paragraphs(String(description))}
${section('Guides', html`<ul>${guides.map(({ name, title }) => html`<li><a href="${rootOf('')}guides/${name}">${sentence(title)}</a></li>`)}</ul><p>Each is Markdown, too: <code>docs/guides/quickstart.md</code>. <a href="llms.txt">llms.txt</a> lists them with every operation.</p>`)}
${section('Resources', tagList(document))}
<section id="errors"><h2>Errors of every call</h2><p>An operation names the errors of its own rules. Besides, every call can have these:</p>
${commonErrorsOfKeys.map((code) => errorLine(code))}</section></div>`;
  return layout(reference, { title, path: '', content });
}

/** Returns the page for an address that leads to none; `root` is the way from there to what is below `docs/`. */
export const missingPage = (root: string): Html => html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>No such page</title><link rel="stylesheet" href="${root}explorer.css"></head>
<body><main id="content"><h1>No such page</h1><p>The documents have no page at this address. <a href="${root}../docs">All pages</a></p></main></body>
</html>
`;

/** Returns the page of a guide. */
export function guidePage(reference: Reference, guide: Guide): Html {
  const content = html`<article class="guide">${renderGuide(guide)}</article>`;
  return layout(reference, { title: guide.title.replaceAll('`', ''), path: `guides/${guide.name}`, content });
}
