import { createHash } from 'node:crypto'
import { permissionHolders } from '@assay/contract/access.ts'
import { type AnyEndpoint, type Body, endpointName, listErrors } from '@assay/contract/endpoint.ts'
import {
  formatAccess,
  formatBody,
  formatProduct,
  formatResponse,
} from '@assay/contract/endpoint-labels.ts'
import { errorMeanings, errorStatuses } from '@assay/contract/errors.ts'
import { type FieldRow, fieldRows } from '@assay/contract/field-rows.ts'
import type { z } from 'zod'
import { accuracySection } from './accuracy-section.ts'
import { contentSecurityPolicy } from './assets.ts'

/*
 * The API reference as one page, served at /docs: no script, one style sheet, allowed by its hash.
 */

export function docsPage(endpoints: readonly AnyEndpoint[]): string {
  const byTag = Map.groupBy(endpoints, ({ tag }) => tag)
  const hasEstimates = byTag.has('Cost calculator')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
<title>Assay API</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the endpoints</a>
<header>
<h1>Assay API</h1>
<p>Every path below is relative to <code>/api/v1</code>. The same description for programs:
<a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<nav aria-label="Endpoints">
${[...byTag].map(([tag, group]) => renderContents(tag, group)).join('\n')}
<p><a href="#errors">Errors</a> · <a href="#permissions">Permissions</a>${hasEstimates ? ' · <a href="#estimate-accuracy">Accuracy of cost estimates</a>' : ''}</p>
</nav>
<main id="main">
${[...byTag].map(([tag, group]) => renderSection(tag, group)).join('\n')}
${errorsSection()}
${permissionsSection()}
${hasEstimates ? accuracySection() : ''}
</main>
</body>
</html>
`
}

function renderContents(tag: string, endpoints: readonly AnyEndpoint[]): string {
  const links = endpoints.map(
    (declared) =>
      `<li><a href="#${toAnchor(declared)}"><b>${declared.method}</b> ${escaped(declared.path)}</a></li>`,
  )
  return `<h2>${escaped(tag)}</h2>\n<ul>${links.join('')}</ul>`
}

function toAnchor(declared: AnyEndpoint): string {
  return endpointName(declared)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function renderSection(tag: string, endpoints: readonly AnyEndpoint[]): string {
  return `<section><h2>${escaped(tag)}</h2>\n${endpoints.map(renderArticle).join('\n')}</section>`
}

function accessAndProduct(declared: AnyEndpoint): string {
  return [formatAccess(declared.access), formatProduct(declared)]
    .filter((sentence) => sentence !== undefined)
    .join(' ')
}

function renderArticle(declared: AnyEndpoint): string {
  const id = toAnchor(declared)
  const parts = [
    `<h3><a href="#${id}"><b>${declared.method}</b> <code>${escaped(declared.path)}</code></a></h3>`,
    `<p class="lead">${inline(declared.summary)}.</p>`,
    declared.description === undefined ? '' : `<p>${inline(declared.description)}</p>`,
    `<p>${inline(accessAndProduct(declared))}</p>`,
    shapeTable('Path', declared.params, 'output'),
    shapeTable('Query', declared.query, 'output'),
    shapeTable('Headers', declared.headers, 'input'),
    bodyPart(declared.body),
    responsePart(declared),
    refusals(declared),
  ]
  return `<article id="${id}">\n${parts.filter((part) => part !== '').join('\n')}\n</article>`
}

function bodyPart(body: Body | undefined): string {
  if (body === undefined) return ''
  const title = formatBody(body)
  return body.as === 'json' ? shapeTable(title, body.schema, 'input') : `<p>${inline(title)}.</p>`
}

function responsePart(declared: AnyEndpoint): string {
  const { data, meta } = declared.success
  return [
    shapeTable(formatResponse(declared), data, 'output'),
    shapeTable('Response, `meta`', meta, 'output'),
  ].join('\n')
}

function refusals(declared: AnyEndpoint): string {
  const cases = listErrors(declared)
  if (cases.length === 0) return ''
  const items = [...cases]
    .sort((a, b) => a.status - b.status)
    .map(({ status, code }) => `<li>${status} <a href="#errors"><code>${code}</code></a></li>`)
  return `<h4>Errors</h4>\n<ul class="errors">${items.join('')}</ul>`
}

/** Empty text without a shape. */
function shapeTable(
  title: string,
  shape: z.ZodType | undefined,
  direction: 'input' | 'output',
): string {
  if (shape === undefined) return ''
  const rows = fieldRows(shape, direction).map((row) => fieldLine(row, direction))
  return `<details open><summary>${inline(title)}</summary>
<div class="wide" tabindex="0" role="region" aria-label="${escaped(title.replaceAll('`', ''))}">
<table><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Note</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div></details>`
}

function fieldLine({ name, type, required, note }: FieldRow, direction: string): string {
  const notes = [direction === 'input' && required ? 'required' : '', inline(note)]
  return `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${inline(type)}</td><td>${notes.filter((one) => one !== '').join('; ')}</td></tr>`
}

function errorsSection(): string {
  const rows = Object.entries(errorMeanings).map(([code, meaning]) => {
    const statuses = errorStatuses[code as keyof typeof errorStatuses].join(', ')
    return `<tr><th scope="row"><code>${code}</code></th><td>${statuses}</td><td>${inline(meaning)}</td></tr>`
  })
  return `<section id="errors"><h2>Errors</h2>
<p>A refusal is <code>{ "error": { "code", "message", "details" } }</code>. Branch on <code>code</code>; show <code>message</code>.</p>
<div class="wide" tabindex="0" role="region" aria-label="Error codes">
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div></section>`
}

function permissionsSection(): string {
  const rows = Object.entries(permissionHolders).map(
    ([permission, holders]) =>
      `<tr><th scope="row"><code>${permission}</code></th><td>${holders.join(', ')}</td></tr>`,
  )
  return `<section id="permissions"><h2>Permissions</h2>
<p>Which roles hold which permission. A super admin acts as an Owner everywhere.</p>
<table><thead><tr><th scope="col">Permission</th><th scope="col">Roles</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></section>`
}

/** Escaped, with text in back-ticks as code. */
function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}

const style = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2024, #e6e8ea);
  --quiet: light-dark(#5a626a, #a3abb2);
  --line: light-dark(#dfe3e6, #363b40);
  --page: light-dark(#ffffff, #16191c);
  --panel: light-dark(#f6f7f8, #1e2226);
  --accent: light-dark(#0b5cad, #7db8f2);
}
* { box-sizing: border-box }
body {
  margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; display: grid; gap: 0 2.5rem;
  grid-template: "header header" auto "nav main" auto / 17rem minmax(0, 1fr);
}
header { grid-area: header } nav { grid-area: nav } main { grid-area: main }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; font-size: .85rem; padding-bottom: 2rem }
nav h2 { font-size: .85rem; margin: 1rem 0 .25rem; color: var(--quiet) }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li { overflow-wrap: anywhere; margin: .15rem 0 }
nav b { font-weight: 600; font-size: .75rem; color: var(--quiet) }
a { color: var(--accent); text-underline-offset: .15em }
nav a, h3 a { text-decoration: none } nav a:hover, h3 a:hover { text-decoration: underline }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; left: -999rem } .skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem }
article { border-top: 1px solid var(--line); padding: .5rem 0 1.5rem }
h3 { margin: .75rem 0 .25rem; overflow-wrap: anywhere; font-size: 1.05rem }
h4 { margin: .75rem 0 .25rem; font-size: .9rem }
.lead { margin-top: 0; font-weight: 600 } p { margin: .5rem 0; max-width: 46rem }
code { font: .875em ui-monospace, monospace; background: var(--panel); border-radius: 3px; padding: .1em .25em }
details { margin: .75rem 0 } summary { cursor: pointer; font-weight: 600; font-size: .9rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .875rem; margin-top: .25rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); font-weight: normal }
thead th { color: var(--quiet); font-size: .8rem }
.errors { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem }
@media (max-width: 52rem) { body { display: block; padding: 1rem } nav { position: static; max-height: none } }
`

export const docsPagePolicy = contentSecurityPolicy(
  `sha256-${createHash('sha256').update(style).digest('base64')}`,
)
