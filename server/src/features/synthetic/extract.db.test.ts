import { limits } from '@assay/contract/limits.ts'
import { extractSource } from '@assay/contract/synthetic.ts'
import { describe, expect, test } from 'vitest'
import { docx, paragraph, pdf, pdfPassword } from '../../../test/documents.ts'
import { privateAddresses } from '../../../test/private-addresses.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { nothingAllowed } from '../../platform/network-rules.ts'
import { type Outbound, openOutbound } from '../../platform/outbound-fetch.ts'

const policy = 'Unopened items can be returned within 30 days of delivery.'

/** Public names, without a network: each has one page. */
const pages: Readonly<Record<string, () => Response>> = {
  'https://shop.test/returns': () =>
    new Response(`<title>Returns</title><h1>Returns</h1><p>${policy}</p>`, {
      headers: { 'content-type': 'text/html' },
    }),
  'https://shop.test/moved': () =>
    new Response(null, { status: 301, headers: { location: '/returns?from=old' } }),
  'https://shop.test/returns?from=old': () => pages['https://shop.test/returns']!(),
  'https://shop.test/to-loopback': () =>
    new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } }),
  'https://shop.test/app': () =>
    new Response('<div id="root"></div><script>render()</script><p>Loading', {
      headers: { 'content-type': 'text/html' },
    }),
  'https://shop.test/missing': () => new Response('', { status: 404 }),
  'https://shop.test/image': () => new Response('x', { headers: { 'content-type': 'image/png' } }),
}

const guarded = openOutbound({
  ...{ allowed: nothingAllowed, plainHttp: 'anywhere', timeoutMs: 2000, maxBytes: 1000 },
  resolve: async () => [],
})
const outbound: Outbound = {
  judge: guarded.judge,
  async fetch(url, init) {
    const location = url.startsWith(redirecting) && decodeURIComponent(new URL(url).search.slice(1))
    if (location) return new Response(null, { status: 302, headers: { location } })
    return pages[url]?.() ?? (await guarded.fetch(url, init))
  },
}
/** Redirects to the URL of the query. */
const redirecting = 'http://site.test/?'

const service = runningService({ documentOutbound: () => outbound })
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const extract = (body: object, as = editor) =>
  service.call(extractSource, { params: { projectId: tenant.projectId }, body }, as)
const file = (name: string, content: Buffer | string) => ({
  file: { name, content_base64: Buffer.from(content).toString('base64') },
})

describe('the text of a source', () => {
  test('is that of a pasted text', async () => {
    expect((await extract({ text: policy })).data.source).toEqual({
      ...{ text: policy, label: 'Pasted text', title: '', format: 'text' },
      ...{ chars: policy.length, truncated: false, notes: [] },
    })
  })

  test('is cut, with a note', async () => {
    const { text, truncated, notes, chars } = (await extract({ text: 'word '.repeat(40_001) })).data
      .source
    expect([text.length, chars, truncated]).toEqual([200_000, 200_000, true])
    expect(notes).toEqual(['The text was cut after 200,000 characters.'])
  })

  test.each([
    ['policy.txt', policy, 'text'],
    ['policy.md', policy, 'markdown'],
    ['policy.csv', policy, 'csv'],
    ['policy.JSON', JSON.stringify(policy), 'json'],
    ['policy.html', `<p>${policy}`, 'html'],
    ['policy.pdf', pdf([policy]), 'pdf'],
    ['policy.docx', docx(paragraph(policy)), 'docx'],
  ])('is that of the file %s', async (name, content, format) => {
    const { source } = (await extract(file(name, content))).data
    expect(source).toMatchObject({ label: name, format, truncated: false })
    expect(source.text).toContain(policy)
  })

  test('is that of a page, with its title', async () => {
    expect((await extract({ url: 'https://shop.test/returns' })).data.source).toMatchObject({
      ...{ label: 'shop.test', title: 'Returns', format: 'html', notes: [] },
      text: `# Returns\n\n${policy}`,
    })
  })

  test('is that of the page that the URL redirects to, with a note without the query', async () => {
    const { notes } = (await extract({ url: 'https://shop.test/moved' })).data.source
    expect(notes).toEqual(['Redirected to https://shop.test/returns'])
  })
})

describe('an unusable source', () => {
  test.each([
    ['39 letters', { text: `${'a'.repeat(39)} ...` }],
    ['an image as PDF', file('scan.pdf', pdf(['']))],
    ['an encrypted PDF', file('locked.pdf', pdf([policy], pdfPassword))],
    ['a damaged file', file('broken.docx', policy)],
    ['another extension', file('policy.xls', policy)],
    ['a name without extension', file('policy', policy)],
    ['an empty file', file('empty.txt', '')],
  ])('with %s is refused with a hint', async (_what, body) => {
    const { status, error } = await extract(body)
    expect([status, error.code, Object.keys(error.details)]).toEqual([
      422,
      'VALIDATION_ERROR',
      ['hint'],
    ])
  })

  test.each([
    ['https://shop.test/missing', 'shop.test', 'The URL responds with 404.'],
    ['https://shop.test/image', 'shop.test', 'The URL is no document of a supported type.'],
    ['https://shop.test/to-loopback', '127.0.0.1', 'The URL cannot be read.'],
    ['http://localhost/', 'localhost', 'The URL cannot be read.'],
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254', 'The URL cannot be read.'],
    ['https://nowhere.test/', 'nowhere.test', 'The URL cannot be read.'],
    ['https://shop.test:8443/returns', 'shop.test', 'The URL cannot be read.'],
    ['file:///etc/passwd', '', 'The URL cannot be read.'],
    ['shop.test', '', 'The URL cannot be read.'],
  ])('at %s is refused with its host', async (url, target, message) => {
    const { status, error } = await extract({ url })
    expect([status, error.message, error.details['target']]).toEqual([422, message, target])
  })

  test('at an address that is not public is refused like an unknown name, directly and after a redirect', async () => {
    const refusal = async (url: string) => {
      const { status, error } = await extract({ url })
      return [status, error.message, error.details['hint']]
    }
    const unknown = await refusal('http://nowhere.test/')
    expect(unknown[0]).toBe(422)
    for (const url of privateAddresses) {
      expect([url, await refusal(url)]).toEqual([url, unknown])
      const behind = `${redirecting}${encodeURIComponent(url)}`
      expect([behind, await refusal(behind)]).toEqual([behind, unknown])
    }
  })

  test('whose page needs JavaScript is refused with a hint that says so', async () => {
    const { error } = await extract({ url: 'https://shop.test/app' })
    expect(error.details['hint']).toContain('JavaScript')
  })

  test.each([
    ['text', { text: 'é'.repeat(limits.sourceBytes.value / 2 + 1) }],
    ['file', file('policy.txt', Buffer.alloc(limits.sourceBytes.value + 1, 'a'))],
    ['body', { text: 'a'.repeat(limits.sourceBodyBytes.value) }],
  ])('with too large a %s is refused', async (_part, body) => {
    expect((await extract(body)).status).toBe(413)
  })

  test.each([
    ['nothing', {}],
    ['two sources', { text: policy, url: 'https://shop.test/returns' }],
    ['three sources', { text: policy, url: 'https://shop.test/', ...file('a.txt', policy) }],
    ['a file without content', { file: { name: 'a.txt' } }],
    ['content that is no Base64', { file: { name: 'a.txt', content_base64: 'é===' } }],
  ])('that has %s is invalid', async (_what, body) => {
    const { status, error } = await extract(body)
    expect([status, error.code, error.details]).toEqual([400, 'VALIDATION_ERROR', {}])
  })

  test('that is no JSON is invalid, and of another type refused', async () => {
    const params = { projectId: tenant.projectId }
    const send = { 'content-type': 'text/plain' }
    expect((await service.call(extractSource, { params, raw: '{' }, editor)).status).toBe(400)
    expect((await service.call(extractSource, { params, raw: '{}', send }, editor)).status).toBe(
      415,
    )
  })

  test('is refused to a Viewer', async () => {
    expect((await extract({ text: policy }, viewer)).error.code).toBe('FORBIDDEN')
  })
})
